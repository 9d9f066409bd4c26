// Records that a delivery's destination went back to draft, or was deleted, during the delivery (spec 4.3): the
// delivery ends whatever the result of the attempt, and sends nothing to the destination's later configuration.

export const statements: ReadonlyArray<string> = [
  `alter table delivery add column is_withdrawn boolean not null default false`,
]
