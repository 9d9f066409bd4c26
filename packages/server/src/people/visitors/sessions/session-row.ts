// A session as the store reads it for summaries and journeys. A plain type, for the reason given in ../visitor-row.ts.
import type { Channel } from "../../../collect/visits/channel.ts"
import type { DeviceType } from "../../../collect/visits/device.ts"

export interface SessionRow {
  readonly id: string
  readonly pixelId: string
  readonly startTime: string
  readonly endTime: string
  readonly durationSeconds: number
  readonly pageviews: number
  readonly uniquePages: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  readonly entryUrl: string | null
  readonly exitUrl: string | null
  readonly channel: Channel
  readonly referrerDomain: string | null
  readonly utmSource: string | null
  readonly utmMedium: string | null
  readonly utmCampaign: string | null
  readonly utmTerm: string | null
  readonly utmContent: string | null
  /** Names of all click ids, including those that no response shows. */
  readonly clickIdNames: ReadonlyArray<string>
  readonly deviceType: DeviceType
  readonly country: string | null
  readonly isFirstSession: boolean
  readonly converted: boolean
}
