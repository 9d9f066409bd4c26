// That a delivery's destination went back to draft, or was deleted, while the delivery was under way (spec 4.3): it
// ends whatever becomes of the attempt, and is not sent to what the destination is later.

export const statements: ReadonlyArray<string> = [
  `alter table delivery add column is_withdrawn boolean not null default false`,
]
