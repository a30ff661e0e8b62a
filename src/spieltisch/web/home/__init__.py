"""The site around the tables: home page, numbered deals and races, rules, credits, privacy, plans, installation."""
