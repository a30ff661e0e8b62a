"""What is kept of people, and the entry of a school's register that says so."""
