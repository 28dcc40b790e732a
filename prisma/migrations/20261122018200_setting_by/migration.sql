-- Who set it; null for what an import or a script wrote.
alter table setting add column by text;
