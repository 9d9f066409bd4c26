// Maps requests and responses to the Marks service; decides nothing.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { show } from "../../../platform/http/issues.ts"
import { hintIfEmpty } from "../../../platform/http/lists.ts"
import { listTooSlow, rulesBusy } from "../../visitors/refusals.ts"
import { differentTagsMax } from "../../visitors/tag.ts"
import { visitorOf } from "../../visitors/visitor.ts"
import { companyOf } from "../subject.ts"
import { CompanyMarksApi, TagsApi, VisitorMarksApi } from "./api.ts"
import { Marks, type OwnerNotFound, type TooManyTags } from "./marks.ts"

const VisitorMarksHandlers = HttpApiBuilder.group(
  footfall.add(VisitorMarksApi),
  "visitorMarks",
  Effect.fn(function* (handlers) {
    const marks = yield* Marks
    return handlers.handleAll({
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const visitor = yield* marks.changePerson(yield* Caller, params.visitorId, payload)
        return yield* success(visitorOf(visitor))
      }, Effect.catchTags(refused())),
    })
  }),
)

const CompanyMarksHandlers = HttpApiBuilder.group(
  footfall.add(CompanyMarksApi),
  "companyMarks",
  Effect.fn(function* (handlers) {
    const marks = yield* Marks
    return handlers.handleAll({
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { domain } = companyOf(params)
        return yield* success(yield* marks.changeCompany(yield* Caller, domain, payload))
      }, Effect.catchTags(refused())),
    })
  }),
)

const TagsHandlers = HttpApiBuilder.group(
  footfall.add(TagsApi),
  "tags",
  Effect.fn(function* (handlers) {
    const marks = yield* Marks
    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          const tags = yield* marks.tags(organizationId, query.subject)
          return yield* success(tags, hintIfEmpty(tags, "tags"))
        },
        Effect.catchTags({ QueryTooSlow: listTooSlow, RulesBusy: rulesBusy }),
      ),
    })
  }),
)

export const MarksHandlers = Layer.mergeAll(
  VisitorMarksHandlers,
  CompanyMarksHandlers,
  TagsHandlers,
)

const refused = () =>
  ({ SubjectNotFound: () => notFound, OwnerNotFound: noMember, TooManyTags: tooManyTags }) as const

const noMember = ({ ownerId }: OwnerNotFound) => {
  const message = `Expected the id of a member, or null, received ${show(ownerId)}.`
  return refuse({
    code: "VALIDATION_ERROR",
    message: "The owner must be a member of the organization.",
    details: { issues: [{ path: "/body/ownerId", code: "unknown_member", message }] },
  })
}

const tooManyTags = ({ subject }: TooManyTags) =>
  refuse({
    code: "CONFLICT",
    message: `The organization already has ${differentTagsMax} different tags of ${subject}. Use one of them, or remove one everywhere first.`,
    details: { limit: differentTagsMax },
  })
