"""`python -m auditor`: the command line without the console script."""

from auditor.front.cli import main

if __name__ == "__main__":
    main()
