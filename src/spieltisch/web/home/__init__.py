"""The site around the tables: the home page, numbered deals and races, rules, credits, privacy, plans of lessons."""
