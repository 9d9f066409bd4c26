// Wires the webhooks room together.
import { Layer } from "effect"
import { WebhookHistory } from "./history/history.ts"
import { HistoryStore } from "./history/store.ts"
import { Questions, QuestionWorker } from "./questions/questions.ts"
import { QuestionStore } from "./triggers/question-store.ts"
import { WebhookRetentionStore } from "./retention/store.ts"
import { WebhookRetention, WebhookRetentionWorker } from "./retention/webhook-retention.ts"
import { WebhookPreviews } from "./preview/preview.ts"
import { PreviewStore } from "./preview/store.ts"
import { SegmentWatching, SegmentWatchWorker } from "./segments/watching.ts"
import { WatchStore } from "./segments/watch-store.ts"
import { AlertMailStore } from "./sending/alert-mail-store.ts"
import { AlertMails } from "./sending/alert-mails.ts"
import { Preparation } from "./sending/preparation.ts"
import { SettlementStore } from "./sending/settlement-store.ts"
import { Settlements, WebhookNotices } from "./sending/settlements.ts"
import { SendingStore } from "./sending/store.ts"
import { WebhookTests } from "./sending/test-call.ts"
import { WebhookWorker } from "./sending/worker.ts"
import { WebhookStore } from "./store.ts"
import { SessionEndStore } from "./triggers/session-end-store.ts"
import { CompanyTriggerStore } from "./triggers/company-store.ts"
import { PageViewStore } from "./triggers/page-view-store.ts"
import { SegmentMemberStore } from "./triggers/segment-member-store.ts"
import { TriggerStore } from "./triggers/store.ts"
import { SessionEndWorker } from "./triggers/session-ends.ts"
import { UnsubscribeLinks } from "./unsubscribe/links.ts"
import { Webhooks } from "./webhooks.ts"

/** The stores of this room. */
export const WebhookStores = Layer.mergeAll(
  AlertMailStore.layer,
  CompanyTriggerStore.layer,
  HistoryStore.layer,
  SegmentMemberStore.layer,
  PageViewStore.layer,
  PreviewStore.layer,
  QuestionStore.layer,
  SendingStore.layer,
  SessionEndStore.layer,
  SettlementStore.layer,
  TriggerStore.layer,
  WatchStore.layer,
  WebhookRetentionStore.layer,
  WebhookStore.layer,
)

export const WebhookServices = Layer.mergeAll(
  WebhookHistory.layer,
  UnsubscribeLinks.layer,
  Layer.provideMerge(
    Layer.merge(Layer.provide(WebhookTests.layer, AlertMails.layer), WebhookPreviews.layer),
    Webhooks.layer,
  ),
)

/** The background workers of this room. */
export const WebhookWorkers = Layer.mergeAll(
  SessionEndWorker,
  Layer.provide(QuestionWorker, Questions.layer),
  Layer.provide(SegmentWatchWorker, SegmentWatching.layer),
  Layer.provide(WebhookRetentionWorker, WebhookRetention.layer),
  Layer.provide(WebhookWorker, [
    AlertMails.layer,
    Preparation.layer,
    Layer.provide(Settlements.layer, WebhookNotices.layer),
  ]),
)
