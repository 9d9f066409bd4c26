// The audiences, runs and rules of one organization in memory, as described in spec 4.1, 4.2, 2.6. naive.ts finds the
// people of a run. Each method changes the model and returns the expected response.
import type { AudienceConfig } from "../../../src/intent/audiences/config.ts"
import type {
  AccessType,
  AudienceStatus,
} from "../../../src/intent/audiences/lifecycle/audience.ts"
import { evaluate, type Found } from "../naive.ts"
import type { RuleRecord, World } from "../world.ts"

export type Rule = Pick<RuleRecord, "type" | "key">

export interface Outcome {
  readonly status: number
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface ModelExport {
  /** The server's id, once it has responded. */
  id: string
  status: "processing" | "completed"
}

export interface ModelRun {
  /** The server's id, once it has responded. */
  id: string
  status: "queued" | "completed" | "cancelled"
  readonly key: string | undefined
  readonly config: AudienceConfig
  candidates: number
  /** People excluded by a rule alone. */
  suppressed: number
  /** Empty until completed. */
  results: ReadonlyArray<Found>
  /** Reused while it exists. In a sequence none is old enough to be deleted. */
  export: ModelExport | undefined
}

export interface ModelAudience {
  /** The server's id, once it has responded. */
  id: string
  name: string
  status: AudienceStatus
  accessType: AccessType
  config: AudienceConfig
  size: number
  isRefreshed: boolean
  isDeleted: boolean
  /** Oldest first. */
  readonly runs: Array<ModelRun>
}

const notFound: Outcome = { status: 404, code: "NOT_FOUND" }
const nameOf = ({ key, type }: Rule) => `${type} ${key}`

export class Reference {
  readonly audiences: Array<ModelAudience> = []
  slots: number | null = null
  isOneShotEligible = false
  readonly #world: World
  /** The rules as written, and as they were when the sync cycle began. */
  readonly #rules = new Map<string, Rule>()
  #inForce: ReadonlyArray<Rule> = []

  constructor(world: World) {
    this.#world = world
  }

  get kept(): ReadonlyArray<ModelAudience> {
    return this.audiences.filter(({ isDeleted }) => !isDeleted)
  }

  get slotsUsed(): number {
    return this.kept.filter(
      ({ accessType, status }) => status === "active" && accessType === "paid",
    ).length
  }

  create(name: string, status: "draft" | "active", config: AudienceConfig): Outcome {
    const audience: ModelAudience = {
      ...{ id: "", name, status: "draft", accessType: "paid", config, size: 0 },
      ...{ isRefreshed: false, isDeleted: false, runs: [] },
    }
    const refused = status === "active" ? this.#activate(audience) : undefined
    if (refused !== undefined) return refused
    this.audiences.push(audience)
    return { status: 201 }
  }

  move(audience: ModelAudience, status: AudienceStatus): Outcome {
    if (audience.isDeleted) return notFound
    const from = audience.status
    if (from === status) return { status: 200 }
    if (status === "active") return this.#activate(audience) ?? { status: 200 }
    if (status === "draft" || from === "draft") {
      const details = { status: from, requested: status }
      return { status: 409, code: "INVALID_TRANSITION", details }
    }
    audience.status = "paused"
    return { status: 200 }
  }

  #activate(audience: ModelAudience): Outcome | undefined {
    const used = this.slotsUsed
    const isFree = this.slots === null || used < this.slots
    if (!isFree && !this.isOneShotEligible) {
      return { status: 403, code: "SLOTS_FULL", details: { used, limit: this.slots } }
    }
    audience.accessType = isFree ? "paid" : "one_shot"
    if (!isFree) this.isOneShotEligible = false
    audience.status = "active"
    return undefined
  }

  reconfigure(audience: ModelAudience, config: AudienceConfig): Outcome {
    if (audience.isDeleted) return notFound
    audience.config = config
    return { status: 200 }
  }

  delete(audience: ModelAudience): Outcome {
    if (audience.isDeleted) return notFound
    audience.isDeleted = true
    for (const run of audience.runs) if (run.status === "queued") run.status = "cancelled"
    return { status: 200 }
  }

  /** Returns the run in the response: a new one, or the one with the same key. */
  start(audience: ModelAudience, key: string | undefined): Outcome & { readonly run?: ModelRun } {
    if (audience.isDeleted) return notFound
    const earlier = audience.runs.find((run) => key !== undefined && run.key === key)
    if (earlier !== undefined) return { status: 200, run: earlier }
    if (audience.status !== "active") {
      const details = { status: audience.status }
      return { status: 409, code: "AUDIENCE_NOT_ACTIVE", details }
    }
    const live = audience.runs.find(({ status }) => status === "queued")
    if (live !== undefined) {
      const details = { status: live.status, runId: live.id }
      return { status: 409, code: "RUN_IN_PROGRESS", details }
    }
    const { config } = audience
    const run: ModelRun = {
      ...{ id: "", status: "queued", key, config },
      ...{ candidates: 0, suppressed: 0, results: [], export: undefined },
    }
    audience.runs.push(run)
    return { status: 202, run }
  }

  cancel(audience: ModelAudience, run: ModelRun): Outcome {
    if (audience.isDeleted) return notFound
    const { status } = run
    if (status !== "queued") return { status: 409, code: "RUN_NOT_QUEUED", details: { status } }
    run.status = "cancelled"
    return { status: 200 }
  }

  /** A new export, one in progress, or an earlier one. spec 5.9. */
  requestExport(audience: ModelAudience, run: ModelRun): Outcome {
    if (audience.isDeleted) return notFound
    const { status } = run
    if (status !== "completed")
      return { status: 409, code: "RUN_NOT_COMPLETED", details: { status } }
    if (run.export !== undefined) return { status: run.export.status === "completed" ? 200 : 202 }
    run.export = { id: "", status: "processing" }
    return { status: 201 }
  }

  /** Workers complete everything in the queue. */
  work(): void {
    for (const audience of this.audiences) {
      for (const run of audience.runs) {
        if (run.export !== undefined) run.export.status = "completed"
        if (run.status !== "queued") continue
        run.status = "completed"
        run.candidates = this.#found({ ...run.config, filters: {} }, []).length
        run.results = this.#found(run.config, this.#inForce)
        run.suppressed = this.#found(run.config, []).length - run.results.length
        audience.size = run.results.length
        audience.isRefreshed = true
        if (audience.status === "active" && audience.accessType === "one_shot") {
          audience.status = "paused"
        }
      }
    }
  }

  #found(config: AudienceConfig, rules: ReadonlyArray<Rule>): ReadonlyArray<Found> {
    const inForce = rules.map((rule) => ({ ...rule, owner: "ours", state: "in force" }) as const)
    return evaluate({ ...this.#world, rules: inForce }, config)
  }

  addRule(rule: Rule): void {
    this.#rules.set(nameOf(rule), rule)
  }

  removeRule(rule: Rule): void {
    this.#rules.delete(nameOf(rule))
  }

  beginCycle(): void {
    this.#inForce = [...this.#rules.values()]
  }
}
