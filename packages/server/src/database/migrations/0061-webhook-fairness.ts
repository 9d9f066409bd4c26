// Of webhooks: until when a chat asked to be left alone (spec 14.3), the format of a body that was kept (spec 14.1), and
// an index by which redeliveries are taken from each webhook in its turn.

export const statements: ReadonlyArray<string> = [
  `alter table webhook add column rests_until timestamptz`,
  `alter table webhook_delivery add column payload_format text`,
  `drop index webhook_delivery_again`,
  `create index webhook_delivery_again
    on webhook_delivery (organization_id, webhook_id, next_attempt_at)
    where status = 'queued' and leased_until is null and is_redelivery`,
]
