// The company, people and ids of the examples. They are consistent: one organization, its pixel, a visitor, and an
// audience that contains her. They are the same as in chapter 12 of the specification.

const meta = {
  timestamp: "2026-03-11T09:00:00.000Z",
  request_id: "req_rtjpiop3f24wzahlzbcsj2b7co",
}

/** A response body; `more` is what a list adds to `meta`. */
export const answer = (data: object, more: object = {}) => ({ data, meta: { ...more, ...meta } })

/** A list with a single page. */
export const page = (rows: ReadonlyArray<object>, limit = 50) =>
  answer(rows, { total: rows.length, limit, offset: 0, hasMore: false, nextCursor: null })

/** `meta` of a list that counts its rows in `data`. */
export const onePage = (limit: number) => ({ limit, offset: 0, hasMore: false, nextCursor: null })

export const deleted = answer({ deleted: true })

export const organizationId = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
export const pixelId = "cdd19037-47fb-4e21-a054-2da787925aea"
export const segmentId = "5f0d8f0e-57b0-4e43-8a3f-0d8c6d1f6f3c"
export const audienceId = "70865832-8a6e-409c-95c5-d15bafae1a05"
export const runId = "efb5aab5-6869-4672-9dc1-601e8732e865"
export const destinationId = "72c2caee-8b8d-4561-a8f3-fa549b992a9d"
export const userId = "0b6ad1ff-3c6e-4f43-9d0b-0f1f5d2a7c11"

export const janeHash = "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9"
export const configHash = "df36818d4ac5c896c6e4f779ddf85dd01ea0d4ad08fae9bec7c28f2e3670be5f"

/** The bytes 0 to 31, never a real secret. */
export const webhookSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

export const topics = [
  {
    topicId: 1204,
    topicName: "Warehouse Management Software",
    type: "b2b",
    industry: "logistics",
    category: "software",
  },
  {
    topicId: 3377,
    topicName: "Freight Visibility",
    type: "b2b",
    industry: "logistics",
    category: "operations",
  },
]

/** The result of a test event, for webhooks and destinations. */
export const testResult = answer({ ok: true, statusCode: 204, latencyMs: 84, error: null })
