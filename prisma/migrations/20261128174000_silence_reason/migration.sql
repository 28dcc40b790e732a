alter table host_survey add column "silence" text;
