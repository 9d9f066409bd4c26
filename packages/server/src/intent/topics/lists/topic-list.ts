// Topics that an organization saved under a name (spec 2.18). A repeated topic counts once, at its first position.
import { Schema } from "effect"
import { described, requestText } from "../../../platform/http/fields.ts"

/** spec 2.18. */
const topicsMax = 100

export class TopicList extends Schema.Opaque<TopicList>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    topicIds: Schema.Array(Schema.Int),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "TopicList" }),
) {}

const name = described("1 to 160 characters.", requestText({ lengthMin: 1, lengthMax: 160 }))
const topicIds = described(
  `Ids of topics, 1 to ${topicsMax}. Duplicates are removed.`,
  Schema.Array(Schema.Int).check(Schema.isMinLength(1), Schema.isMaxLength(topicsMax)),
)

/** Body of a create request. */ // spec 5.7
export class NewTopicList extends Schema.Opaque<NewTopicList>()(
  Schema.Struct({ name, topicIds }).annotate({ identifier: "NewTopicList" }),
) {}

/** Body of an update request. Omitted fields do not change. */ // spec 5.7
export class TopicListChange extends Schema.Opaque<TopicListChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    topicIds: Schema.optionalKey(topicIds),
  }).annotate({ identifier: "TopicListChange" }),
) {}
