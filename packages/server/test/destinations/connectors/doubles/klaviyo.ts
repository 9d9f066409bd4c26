// Klaviyo: imports are jobs that end some requests later, with errors of their own; a subscribe job lifts suppressions; who
// unsubscribed is suppressed, from everything or from one list.
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Profile {
  readonly id: string
  readonly email: string
  consent: string
  suppression: Array<{ reason: string }>
  listSuppressions: Array<{ list_id: string; reason: string }>
  attributes: Record<string, unknown>
  readonly lists: Set<string>
}

interface Given {
  readonly attributes: Readonly<Record<string, unknown>> & { readonly email: string }
}

interface JobBody {
  readonly data: {
    readonly attributes: { readonly profiles: { readonly data: ReadonlyArray<Given> } }
    readonly relationships?: {
      readonly lists?: { readonly data: ReadonlyArray<{ readonly id: string }> }
      readonly list?: { readonly data: { readonly id: string } }
    }
  }
}

interface DeletionBody {
  readonly data: {
    readonly attributes: { readonly profile: { readonly data: { readonly id: string } } }
  }
}

interface Job {
  readonly id: string
  /** Requests for it until it is complete. */
  left: number
  readonly profiles: ReadonlyArray<Given>
  readonly lists: ReadonlyArray<string>
  readonly errors: Array<unknown>
}

const errors = (status: number, detail: string, pointer = "/data/"): ServiceAnswer => ({
  status,
  body: {
    errors: [{ id: "1", status, code: "invalid", title: "Invalid", detail, source: { pointer } }],
  },
})

/** `readsOfJob`: how often a job is read until it is complete. */
export const startKlaviyo = async (
  readsOfJob = 2,
): Promise<Double & { readonly jobs: ReadonlyArray<Job> }> => {
  let apiKey = "pk_1"
  const listId = "Y6nRLr"
  const lists = new Set([listId])
  const profiles = new Map<string, Profile>()
  const emailById = new Map<string, string>()
  const jobs: Array<Job> = []
  const jobById = new Map<string, Job>()
  const profileOf = (email: string): Profile => {
    const key = email.toLowerCase()
    const known = profiles.get(key)
    if (known !== undefined) return known
    const made: Profile = {
      id: `01${emailById.size}`,
      email,
      consent: "NEVER_SUBSCRIBED",
      suppression: [],
      listSuppressions: [],
      attributes: {},
      lists: new Set(),
    }
    profiles.set(key, made)
    emailById.set(made.id, key)
    return made
  }
  /** A page of a hundred. Without a filter: everyone. */
  const listed = (url: string, all: ReadonlyArray<Profile>, query: URLSearchParams) => {
    const size = Number(query.get("page[size]") ?? 20)
    const from = Number(query.get("page[cursor]") ?? 0)
    const asking = new URLSearchParams(query)
    asking.set("page[cursor]", String(from + size))
    return ok({
      data: all.slice(from, from + size).map((one) => shown(one, query)),
      links: { self: url, next: from + size < all.length ? `${url}?${asking}` : null },
    })
  }
  const asked = (query: URLSearchParams): ReadonlyArray<Profile> => {
    if (!query.has("filter")) return [...profiles.values()]
    const [, list] = /^any\(email,(\[.*\])\)$/.exec(query.get("filter")!)!
    const emails = JSON.parse(list!) as ReadonlyArray<string>
    return emails.flatMap((email) => profiles.get(email.toLowerCase()) ?? [])
  }
  const shown = (one: Profile, query: URLSearchParams) => ({
    type: "profile",
    id: one.id,
    attributes: {
      email: one.email,
      ...(query.get("additional-fields[profile]") === "subscriptions" && {
        subscriptions: {
          email: {
            marketing: {
              can_receive_email_marketing: one.suppression.length === 0,
              consent: one.consent,
              suppression: one.suppression,
              list_suppressions: one.listSuppressions,
            },
          },
        },
      }),
    },
    links: { self: "" },
  })
  const list = (id: string) => ({
    type: "list",
    id,
    attributes: { name: "Buyers", opt_in_process: "single_opt_in" },
    links: { self: "" },
  })
  const done = (job: Job) => {
    job.profiles.forEach(({ attributes }, index) => {
      const { email, ...rest } = attributes
      // One that only the job finds.
      if (email.startsWith("refused")) {
        job.errors.push({
          type: "import-error",
          id: `e${index}`,
          attributes: {
            code: "invalid",
            title: "Invalid input.",
            detail: `The email ${email} is invalid.`,
            source: { pointer: `/data/attributes/profiles/data/${index}/attributes/email` },
            original_payload: attributes,
          },
        })
        return
      }
      const profile = profileOf(email)
      Object.assign(profile.attributes, rest)
      for (const id of job.lists) if (lists.has(id)) profile.lists.add(id)
    })
  }
  const shownJob = (job: Job) => ({
    data: {
      type: "profile-bulk-import-job",
      id: job.id,
      attributes: {
        status: job.left > 0 ? (job.left > 1 ? "queued" : "processing") : "complete",
        created_at: "2026-03-11T09:04:00Z",
        total_count: job.profiles.length,
        completed_count: job.left > 0 ? 0 : job.profiles.length - job.errors.length,
        failed_count: job.errors.length,
      },
      links: { self: "" },
    },
  })

  const service = await startService({
    contract: "klaviyo",
    contentType: "application/vnd.api+json",
    refused: ({ authorization, revision }) => {
      if (revision === undefined) return errors(400, "The revision header is required.")
      return authorization === `Klaviyo-API-Key ${apiKey}`
        ? undefined
        : errors(401, "Missing or invalid private key.")
    },
    routes: (url) => ({
      "GET /api/accounts": () => ok({ data: [{ type: "account", id: "A1" }] }),
      "GET /api/lists": () =>
        ok({ data: [...lists].map(list), links: { self: `${url}/api/lists`, next: null } }),
      "GET /api/lists/{id}": ({ params }) =>
        lists.has(params["id"]!)
          ? ok({ data: list(params["id"]!) })
          : errors(404, "A list with this id does not exist."),
      "POST /api/lists": () => {
        const id = `L${lists.size}`
        lists.add(id)
        return ok({ data: list(id) }, 201)
      },
      "DELETE /api/lists/{id}": ({ params }) => {
        lists.delete(params["id"]!)
        return { status: 204 }
      },
      "GET /api/profiles": ({ query }) => listed(`${url}/api/profiles`, asked(query), query),
      "GET /api/lists/{id}/profiles": ({ params, query }) => {
        const id = params["id"]!
        if (!lists.has(id)) return errors(404, "A list with this id does not exist.")
        const on = asked(query).filter((one) => one.lists.has(id))
        return listed(`${url}/api/lists/${id}/profiles`, on, query)
      },
      "POST /api/profile-bulk-import-jobs": ({ body }: Of<JobBody>) => {
        const given = body.data.attributes.profiles.data
        const ofLists = (body.data.relationships?.lists?.data ?? []).map(({ id }) => id)
        if (given.length === 0) return errors(400, "No profiles.")
        const bad = given.findIndex(({ attributes }) => !/^\S+@\S+$/.test(attributes.email))
        if (bad >= 0) {
          const pointer = `/data/attributes/profiles/data/${bad}/attributes/email`
          return errors(400, "Invalid email address.", pointer)
        }
        const id = `job${jobs.length}`
        const job: Job = { id, left: readsOfJob, profiles: given, lists: ofLists, errors: [] }
        jobs.push(job)
        jobById.set(id, job)
        return ok(shownJob(job), 202)
      },
      "GET /api/profile-bulk-import-jobs/{job_id}": ({ params }) => {
        const job = jobById.get(params["job_id"]!)
        if (job === undefined) return errors(404, "A job with this id does not exist.")
        if (job.left > 0 && --job.left === 0) done(job)
        return ok(shownJob(job))
      },
      "GET /api/profile-bulk-import-jobs/{id}/import-errors": ({ params }) =>
        ok({ data: jobById.get(params["id"]!)!.errors, links: {} }),
      "POST /api/profile-subscription-bulk-create-jobs": ({ body }: Of<JobBody>) => {
        for (const { attributes } of body.data.attributes.profiles.data) {
          const profile = profileOf(attributes.email)
          profile.consent = "SUBSCRIBED"
          profile.suppression = profile.suppression.filter(
            ({ reason }) => !["UNSUBSCRIBE", "SPAM_REPORT", "USER_SUPPRESSED"].includes(reason),
          )
          profile.listSuppressions = []
          const id = body.data.relationships?.list?.data?.id
          if (id !== undefined) profile.lists.add(id)
        }
        return { status: 202 }
      },
      "POST /api/profile-subscription-bulk-delete-jobs": ({ body }: Of<JobBody>) => {
        const id = body.data.relationships!.list!.data.id
        for (const { attributes } of body.data.attributes.profiles.data) {
          const profile = profileOf(attributes.email)
          profile.listSuppressions = [{ list_id: id, reason: "UNSUBSCRIBE" }]
          profile.lists.delete(id)
        }
        return { status: 202 }
      },
      "DELETE /api/lists/{id}/relationships/profiles": ({
        body,
        params,
      }: Of<{ readonly data: ReadonlyArray<{ readonly id: string }> }>) => {
        for (const { id } of body.data) {
          profiles.get(emailById.get(id) ?? "")?.lists.delete(params["id"]!)
        }
        return { status: 204 }
      },
      "POST /api/data-privacy-deletion-jobs": ({ body }: Of<DeletionBody>) => {
        const { id } = body.data.attributes.profile.data
        profiles.delete(emailById.get(id) ?? "")
        return { status: 202 }
      },
    }),
  })
  return Object.assign(service, {
    jobs,
    credentials: { apiKey },
    listId,
    fieldMapping: { first_name: "firstName", Score: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({
      first_name: firstName,
      properties: { Score: score },
    }),
    newStatus: "on the list",
    refusing: ["unsubscribed", "bounced", "left"],
    refused: ["unsubscribed", "bounced", "left"],
    removable: "on the list",
    canRemoveFromList: true,
    hasTags: false,
    canErase: true,
    put: (email: string, status: string | null) => {
      const profile = profileOf(email)
      if (status !== "left") profile.lists.add(listId)
      if (status === "unsubscribed") {
        profile.consent = "UNSUBSCRIBED"
        profile.suppression = [{ reason: "UNSUBSCRIBE" }]
      }
      if (status === "bounced") profile.suppression = [{ reason: "HARD_BOUNCE" }]
      if (status === "left") {
        profile.listSuppressions = [{ list_id: listId, reason: "UNSUBSCRIBE" }]
      }
    },
    people: () =>
      [...profiles.values()].map((one) => ({
        email: one.email,
        status:
          one.suppression[0]?.reason === "HARD_BOUNCE"
            ? "bounced"
            : one.suppression.length > 0
              ? "unsubscribed"
              : one.listSuppressions.length > 0 && !one.lists.has(listId)
                ? "left"
                : one.lists.has(listId)
                  ? one.consent === "SUBSCRIBED"
                    ? "subscribed"
                    : "on the list"
                  : null,
        fields: one.attributes,
        tags: [],
      })),
    refusedPrefix: "refused",
    revoke: () => void (apiKey = "pk_2"),
    deleteList: () => void lists.clear(),
    wait: (seconds: number) => ({ "retry-after": String(seconds) }),
  })
}
