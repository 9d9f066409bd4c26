// The queues of the server, read from the text of its `/metrics` (OpenMetrics). Pure.

/** A queue: jobs that are due, delayed and in progress, and how long the oldest has been due. */
export interface QueueDepth {
  readonly queue: string
  readonly waiting: number
  readonly delayed: number
  readonly working: number
  readonly lagSeconds: number
}

/** The queues in the order of the text; null if the text has none. */
export const queueDepths = (metrics: string): ReadonlyArray<QueueDepth> | null => {
  const queues = new Map<string, QueueDepth>()
  for (const line of metrics.split("\n")) {
    const [, name, labels = "", value] = sample.exec(line) ?? []
    const queue = /queue="([^"]*)"/.exec(labels)?.[1]
    if (queue === undefined) continue
    const known = queues.get(queue) ?? { queue, waiting: 0, delayed: 0, working: 0, lagSeconds: 0 }
    const member = name === "lag_seconds" ? "lagSeconds" : /state="([a-z]*)"/.exec(labels)?.[1]
    if (member === undefined || !Object.hasOwn(known, member)) continue
    queues.set(queue, { ...known, [member]: Number(value) })
  }
  return queues.size === 0 ? null : [...queues.values()]
}

const sample = /^footfall_queue_(depth|lag_seconds)\{([^}]*)\} ([\d.e+-]+)/
