// The client that started a session (spec 5.12.12). Null: started before this was stored.

export const statements: ReadonlyArray<string> = [
  `alter table refresh_chain add column user_agent text`,
]
