// An invitation belongs to one organization, and a membership takes effect when it is accepted. A user records whether
// they proved that the address is theirs (spec 5.13).

export const statements: ReadonlyArray<string> = [
  // Null: not yet proven that the address is the user's. A new generation ends every access token of the user.
  `alter table user_account
    add column proven_at timestamptz,
    add column token_generation integer not null default 0`,
  // Null: the invitation is not accepted yet, and the user may do nothing in this organization.
  `alter table member add column accepted_at timestamptz default now()`,
  `update member set accepted_at = created_at`,
  // Invited earlier, and never accepted.
  `update member set accepted_at = null
   from invitation, user_account
   where invitation.user_id = member.user_id and user_account.id = member.user_id
     and user_account.password_hash is null`,
  // The operator chose the owners of its organization.
  `update user_account set proven_at = now()
   where id in (
     select user_id from member
     join organization on organization.id = member.organization_id
     where is_operator and role = 'owner' and accepted_at is not null
   )`,
  // The token sent by mail differs from the one returned to the member who sent the invitation, so using it proves the
  // address. So does a token from the operator.
  `alter table invitation
    alter column digest drop not null,
    add column mail_digest bytea,
    add column is_vouched boolean not null default false`,
  `drop index invitation_user`,
  `create index invitation_user on invitation (user_id)`,
  `create unique index invitation_mail_digest on invitation (mail_digest)`,
]
