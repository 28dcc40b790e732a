-- An action on an OpenStack cloud that a second person has to approve: what is requested, as its procedure takes it.
alter table proposal add column cloud_id uuid, add column request jsonb;
alter table proposal drop constraint proposal_kind;
alter table proposal
  add constraint proposal_kind check (
  (kind = 'host-status' and host_id is not null and status is not null)
  or (kind = 'heal' and plan_id is not null)
  or (kind = 'evacuation' and plan_id is not null and host_id is not null)
  or (kind = 'fencing' and host_id is not null)
  or (kind = 'cloud' and cloud_id is not null and request is not null)
  or (kind = 'release' and consumer_id is not null and consumer_generation is not null)),
  add constraint proposal_request_shape check (
    request @? 'strict $ ? (@.type() == "object" && @."do".type() == "string" && @."does".type() == "string")');
comment on constraint proposal_request_shape on proposal is 'expected an action on a cloud';
create unique index proposal_one_open_cloud on proposal (cloud_id, md5(request::text)) where state = 'open' and kind = 'cloud';
