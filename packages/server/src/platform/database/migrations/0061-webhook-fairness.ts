// For webhooks: until when a chat asked to pause (spec 14.3), the format of a stored body (spec 14.1), and an index for
// taking redeliveries from each webhook in turn.

export const statements: ReadonlyArray<string> = [
  `alter table webhook add column rests_until timestamptz`,
  `alter table webhook_delivery add column payload_format text`,
  `drop index webhook_delivery_again`,
  `create index webhook_delivery_again
    on webhook_delivery (organization_id, webhook_id, next_attempt_at)
    where status = 'queued' and leased_until is null and is_redelivery`,
]
