// The part of `meta` that every answer has. Source: spec 1.3.

/** What the server says about one answer, beside its data. */
export interface ResponseMeta {
  /** Moment of the answer. ISO 8601, UTC, milliseconds. */
  readonly timestamp: string
  /** Id of the request, `req_` and 26 characters; quote it when you report a problem. */
  readonly request_id: string
}
