-- A token acts for an account, which cannot approve what the token requested. Existing tokens act for the user who created
-- them in the console. Those of the command line act for no account: only an admin approves what they requested.
alter table api_token add column account_id text;
alter table api_token add constraint api_token_account_id_fkey foreign key (account_id) references auth_user(id)
  on delete set null on update cascade;
create index api_token_account_id_idx on api_token (account_id);

update api_token t set account_id = u.id from audit_entry a join auth_user u on u.username = a.who
where a.action = 'token.created' and a.data ->> 'token' = t.id::text and a.at >= u.created_at;

update proposal p set by_id = t.account_id from api_token t where p.by_id = t.id::text and t.account_id is not null;
