# The suite for targets that nobody trusts. SECURITY.md has the command that isolates a container of this image.
FROM python:3.13-slim
WORKDIR /suite
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY auditor auditor
COPY mechanisms mechanisms
COPY proofs_numeric proofs_numeric
RUN pip install --no-cache-dir . && rm -r /suite
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1
WORKDIR /tmp
USER 65534
CMD ["auditor", "--help"]
