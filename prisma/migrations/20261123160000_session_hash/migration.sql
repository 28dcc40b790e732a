-- A session's token is kept as a hash from here on; who is signed in stays so.
update auth_session set token = 'sha256:' || encode(sha256(convert_to(token, 'UTF8')), 'hex')
  where token not like 'sha256:%';
alter table auth_session add constraint auth_session_token_is_hash check (token ~ '^sha256:[0-9a-f]{64}$');
