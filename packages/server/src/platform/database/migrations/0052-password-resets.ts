// Password reset mails (spec 5.12): digests of their tokens, valid for one hour.

export const statements: ReadonlyArray<string> = [
  `create table password_reset (
    digest bytea primary key,
    user_id uuid not null references user_account (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  `create index password_reset_user on password_reset (user_id)`,
]
