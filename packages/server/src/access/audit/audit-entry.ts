// One change of state, as the audit log keeps it: ids, never values.

/** `operator`: a command of this server. `system`: a worker. */
export type Actor =
  | { readonly type: "api_key" | "user"; readonly id: string }
  | { readonly type: "operator" | "system" }

/** Who changes something, and of which organization: a Caller is one. */
export interface Author {
  readonly organizationId: string
  readonly actor: Actor
}

/** Resource and past participle: `pixel.created`, `visitor.erased`. */
export type Action = `${string}.${string}`

export interface AuditEntry extends Author {
  readonly action: Action
  /** Id of what was changed; null where the organization itself is meant. */
  readonly targetId: string | null
}
