// The wire contract of topic lists (spec 2.18, 5.7).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../../access/key-rights.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { idempotencyHeaders, Repeats } from "../../../access/repeats/repeats.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { Deleted } from "../../../access/organizations/api.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { BadRequest, NotFound } from "../../../platform/http/errors.ts"
import { listMeta, listParameters, pageSizeMax } from "../../../platform/http/lists.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { lenient } from "../../../platform/http/contract.ts"
import { NewTopicList, TopicList, TopicListChange } from "./topic-list.ts"

const path = "/v1/intent/topic-lists"
const params = { id: Schema.String.check(Schema.isUUID()) }

export const TopicListPage = Schema.Struct({
  data: Schema.Array(TopicList),
  meta: listMeta,
}).annotate({ identifier: "TopicListPage" })

const TopicListAnswer = Schema.Struct({ data: TopicList, meta: Meta }).annotate({
  identifier: "TopicListAnswer",
})

export class TopicListsApi extends HttpApiGroup.make("topicLists")
  .annotate(ScopesRequired, { read: "intent:read", write: "intent:write" })
  .annotate(OpenApi.Title, "Topic lists")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: listParameters(pageSizeMax),
      success: TopicListPage,
      error: BadRequest,
    }),
    HttpApiEndpoint.post("create", path, {
      headers: idempotencyHeaders,
      payload: NewTopicList,
      success: TopicListAnswer.pipe(HttpApiSchema.status(201)),
      error: BadRequest,
    })
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      success: TopicListAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", `${path}/:id`, {
      params,
      payload: TopicListChange,
      success: TopicListAnswer,
      error: [BadRequest, NotFound],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      success: Deleted,
      error: NotFound,
    }).annotate(RoleRequired, "member"),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  // Shared with site topics and filters. spec 10.2.
  .annotate(RateLimited, { name: "site-topics", limit: 120 })
  .pipe(eitherGroup) {}
