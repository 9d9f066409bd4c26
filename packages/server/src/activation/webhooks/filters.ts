// Which page views, people and companies a webhook is about: each trigger has a use for some fields (spec 8.6.1).
import { Effect, Schema } from "effect"
import type { RuleSubject } from "../../people/visitors/query/predicate.ts"
import type { WebhookContent } from "./store.ts"
import { type FilterField, filterFields, isAboutSegment, type Trigger } from "./webhook.ts"

/** A field has no use together with others. */ // spec 8.6.1, 14.4
export class FieldsRefused extends Schema.TaggedError<FieldsRefused>()("FieldsRefused", {
  field: Schema.Literals(["digest", "digestHour", "digestDay", ...filterFields]),
  message: Schema.String,
}) {}

/** The trigger is about a segment, and there is none. */ // spec 8.7
export class SegmentRequired extends Schema.TaggedError<SegmentRequired>()("SegmentRequired", {
  trigger: Schema.String,
}) {}

type Filter = Partial<Pick<WebhookContent, FilterField>>

/** The fields that a trigger has a use for. */ // spec 8.6.1
const filterFieldsOf: Readonly<Record<Trigger, ReadonlyArray<FilterField>>> = {
  first_match: ["segmentId"],
  every_update: ["segmentId"],
  company_seen: ["segmentId", "listId", "again"],
  page_viewed: filterFields,
  entered_segment: ["segmentId"],
  left_segment: ["segmentId"],
}

/** What a trigger's segment contains; undefined: it takes either. */
export const segmentSubjectOf: Readonly<Record<Trigger, RuleSubject | undefined>> = {
  first_match: "people",
  every_update: "people",
  company_seen: "companies",
  page_viewed: undefined,
  entered_segment: undefined,
  left_segment: undefined,
}

export const checkFilter = (trigger: Trigger, filter: Filter) => {
  const unused = filterFields.find(
    (field) => filter[field] != null && !filterFieldsOf[trigger].includes(field),
  )
  if (unused !== undefined) {
    return new FieldsRefused({
      field: unused,
      message: `Expected null with the trigger ${trigger}.`,
    })
  }
  return isAboutSegment(trigger) && filter.segmentId == null
    ? new SegmentRequired({ trigger })
    : Effect.void
}

/** Every field, with its default if the trigger has a use for it. */
export const filterOf = (trigger: Trigger, filter: Filter): Required<Filter> => {
  const value = <Field extends FilterField>(field: Field, otherwise: WebhookContent[Field]) =>
    filterFieldsOf[trigger].includes(field) ? (filter[field] ?? otherwise) : null
  return {
    path: value("path", null),
    minSeconds: value("minSeconds", 0),
    segmentId: value("segmentId", null),
    listId: value("listId", null),
    identified: value("identified", "any"),
    again: value("again", trigger === "company_seen" ? "7d" : "every_session"),
  }
}
