// One change of state, as the audit log keeps it: ids, never values.

/** `operator`: a command of this server. `system`: a worker. */
export type Actor =
  | { readonly type: "api_key" | "user"; readonly id: string }
  | { readonly type: "operator" | "system" }

export interface AuditEntry {
  readonly organizationId: string
  readonly actor: Actor
  /** Resource and past participle: `pixel.created`, `visitor.erased`. */
  readonly action: string
  /** Id of what was changed; null where the organization itself is meant. */
  readonly targetId: string | null
}
