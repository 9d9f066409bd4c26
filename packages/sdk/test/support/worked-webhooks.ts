// The worked example of the specification: a sync and its three signed requests, byte for byte. Source: spec 12.11,
// 12.12.

/** The bytes 0 to 31. */
export const workedSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

export const workedDelivery = "e3897870-520c-4fe5-9d28-03da213e9f49"

export interface WorkedWebhook {
  readonly event: string
  readonly id: string
  /** The contact's; empty if the event has none. */
  readonly hashedEmail: string
  readonly second: number
  readonly signature: string
  readonly sha256: string
  readonly body: string
}

export const workedWebhooks: ReadonlyArray<WorkedWebhook> = [
  {
    event: "intent.audience.sync.started",
    id: "msg_vznk635jyuu43bebfprp7pofzk",
    hashedEmail: "",
    second: 1773219901,
    signature: "v1,qXMjknzRIldx/HfzhWxEUeenLjW71OSCLRSYALc3pjY=",
    sha256: "1c95731f6aabd3d283da29520f3aecd84c244859551a7ab818b692204137f287",
    body: '{"id":"msg_vznk635jyuu43bebfprp7pofzk","event":"intent.audience.sync.started","timestamp":"2026-03-11T09:05:01.000Z","apiVersion":"v1","organizationId":"3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f","data":{"audience":{"id":"70865832-8a6e-409c-95c5-d15bafae1a05","name":"Warehouse buyers"},"destination":{"id":"72c2caee-8b8d-4561-a8f3-fa549b992a9d","name":"CRM intake","configRevision":1},"delivery":{"id":"e3897870-520c-4fe5-9d28-03da213e9f49","mode":"initial","sourceRunId":"efb5aab5-6869-4672-9dc1-601e8732e865","baselineRunId":null,"sourceCount":2},"run":{"id":"efb5aab5-6869-4672-9dc1-601e8732e865","dataDate":"2026-03-10","runType":"manual","resultCount":2,"completedAt":"2026-03-11T09:03:01.480Z"}}}',
  },
  {
    event: "intent.audience.contact.upserted",
    id: "msg_v35bfdk46kaiyhxly7uhlctygk",
    hashedEmail: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
    second: 1773219902,
    signature: "v1,gkhbc8yWkWpWO5SpRee3zjCvZw+fSuCerFULbqdIlpA=",
    sha256: "879d7662c7a72dc130880c500348d34d423b77a15b19745b258ad31898bbddb3",
    body: '{"id":"msg_v35bfdk46kaiyhxly7uhlctygk","event":"intent.audience.contact.upserted","timestamp":"2026-03-11T09:05:02.000Z","apiVersion":"v1","organizationId":"3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f","data":{"audience":{"id":"70865832-8a6e-409c-95c5-d15bafae1a05","name":"Warehouse buyers"},"delivery":{"id":"e3897870-520c-4fe5-9d28-03da213e9f49","mode":"initial","sequence":1},"runId":"efb5aab5-6869-4672-9dc1-601e8732e865","dataDate":"2026-03-10","change":"added","contact":{"hashedEmail":"930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9","firstName":"Jane","lastName":"Mercer","fullName":"Jane Mercer","email":"jane.mercer@harbor-logistics.example","businessEmail":"jane.mercer@harbor-logistics.example","personalEmail":"jane.mercer@mail.example","primaryContactEmail":"jane.mercer@harbor-logistics.example","emailStatus":"valid","phone":"+14155550134","linkedinUrl":null,"headline":null,"jobTitle":"VP Operations","seniority":"vp","department":"operations","company":{"name":"Harbor Logistics","domain":"harbor-logistics.example","industry":"maritime transportation","industryGroup":"transportation and logistics","revenueRange":"50 million to 100 million","size":"201-500","linkedinUrl":null},"geo":{"city":"San Francisco","state":"CA","country":"US"},"demographics":{"ageRange":null,"gender":null},"isB2b":"y","intent":{"score":91,"topicOverlap":2,"matchedTopics":[{"topicId":1204,"topicName":"Warehouse Management Software","type":"b2b","industry":"logistics","category":"software"},{"topicId":3377,"topicName":"Freight Visibility","type":"b2b","industry":"logistics","category":"operations"}]}}}}',
  },
  {
    event: "intent.audience.sync.completed",
    id: "msg_disoftrt7woohafkqwd4m3evv3",
    hashedEmail: "",
    second: 1773219903,
    signature: "v1,U7cxp1aq2MI1o2Zv6uIjVlS6ku3HwiAPsOqgIBFpnjA=",
    sha256: "8e2425824014a987aad36365067fccb1b1c0357c9d1118de950859929617e578",
    body: '{"id":"msg_disoftrt7woohafkqwd4m3evv3","event":"intent.audience.sync.completed","timestamp":"2026-03-11T09:05:03.000Z","apiVersion":"v1","organizationId":"3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f","data":{"audience":{"id":"70865832-8a6e-409c-95c5-d15bafae1a05","name":"Warehouse buyers"},"destination":{"id":"72c2caee-8b8d-4561-a8f3-fa549b992a9d","name":"CRM intake","configRevision":1},"delivery":{"id":"e3897870-520c-4fe5-9d28-03da213e9f49","mode":"initial","sourceRunId":"efb5aab5-6869-4672-9dc1-601e8732e865","baselineRunId":null,"sourceCount":2},"run":{"id":"efb5aab5-6869-4672-9dc1-601e8732e865","dataDate":"2026-03-10","runType":"manual","resultCount":2,"completedAt":"2026-03-11T09:03:01.480Z"},"status":"completed","counts":{"source":2,"processed":2,"sent":2,"skipped":0,"failed":0},"removedSinceBaseline":0,"errorCode":null,"errorMessage":null,"startedAt":"2026-03-11T09:05:01.000Z","completedAt":"2026-03-11T09:05:03.000Z","durationMs":2000}}',
  },
]

/** As the receiver gets them. */
export const workedHeaders = (webhook: WorkedWebhook): Readonly<Record<string, string>> => ({
  "webhook-id": webhook.id,
  "webhook-timestamp": String(webhook.second),
  "webhook-signature": webhook.signature,
})
