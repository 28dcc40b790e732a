-- Instances can be rebuilt through Nova.
alter table cloud_action drop constraint cloud_action_verb_known;
alter table cloud_action
  add constraint cloud_action_verb_known check (verb in ('live-migrate', 'migrate', 'resize', 'confirm', 'revert', 'evacuate', 'shelve', 'unshelve', 'start', 'stop', 'reboot', 'rebuild', 'reset-state', 'abort', 'force-complete', 'enable', 'disable', 'force-down', 'force-up'));
comment on constraint cloud_action_verb_known on cloud_action is 'expected an action of Nova';
