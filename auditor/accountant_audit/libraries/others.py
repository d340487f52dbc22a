"""Every accountant of other people's libraries: the data of `auditor/accountant_audit/adapters`, a file a library."""

from auditor.accountant_audit.environments import libraries

ACCOUNTANTS = tuple(one for library in libraries().values() for one in library.accountants)  # fmt: skip
