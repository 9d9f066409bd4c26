// What a session was started with (spec 5.12.12). Null: before it was kept.

export const statements: ReadonlyArray<string> = [
  `alter table refresh_chain add column user_agent text`,
]
