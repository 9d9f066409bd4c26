// Alerts by email (spec 14.5): a webhook has recipients instead of a URL, and a digest can be weekly.

export const statements: ReadonlyArray<string> = [
  // `recipients`: members who get the emails; null for other formats.
  `alter table webhook
    alter column url drop not null,
    add column recipients uuid[],
    add column digest_day smallint check (digest_day between 1 and 7),
    drop constraint webhook_format_check,
    add constraint webhook_format_check
      check (format in ('standard', 'slack', 'teams', 'discord', 'email')),
    drop constraint webhook_digest_check,
    add constraint webhook_digest_check
      check (digest in ('immediate', 'hourly', 'daily', 'weekly')),
    add constraint webhook_receiver_check
      check ((format = 'email') = (recipients is not null) and (url is null) = (format = 'email'))`,
  // `mails`: what became of the email to each recipient, while the delivery is queued.
  `alter table webhook_delivery
    add column mails jsonb,
    drop constraint webhook_delivery_digest_check,
    add constraint webhook_delivery_digest_check check (digest in ('hourly', 'daily', 'weekly'))`,

  // A member who leaves, by whatever way, gets no emails any more.
  `create function drop_recipient() returns trigger language plpgsql as $$
   begin
     -- In the order in which outcomes lock them.
     perform from webhook
     where organization_id = old.organization_id and old.user_id = any (recipients)
     order by id for no key update;
     update webhook set recipients = array_remove(recipients, old.user_id),
       status = case when recipients = array[old.user_id] then 'inactive' else status end,
       updated_at = now()
     where organization_id = old.organization_id and old.user_id = any (recipients);
     return null;
   end $$`,
  `create trigger member_recipient_delete after delete on member
   for each row execute function drop_recipient()`,
  `create trigger member_recipient_update after update of accepted_at on member
   for each row when (old.accepted_at is not null and new.accepted_at is null)
   execute function drop_recipient()`,
]
