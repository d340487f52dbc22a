"""Accountants of other people's libraries, one file a library: small functions, and what each is held against.

A file is read on our side for its data, and run in the library's own interpreter: it imports nothing of ours, and its
library only inside the functions. A function's source and its arguments reproduce a defect without this project.
"""
