// The current time for components. They render again in steps, so that relative times stay correct.
import { useSyncExternalStore } from "react"

/** Time between updates. In milliseconds. */
const stepMs = 20_000

let steps = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

const step = (): void => {
  steps += 1
  for (const listener of listeners) listener()
}

/** All components share one timer. */
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(step, stepMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const present = (): number => Date.now()

/** The time of this render, because shown data may be newer than the last step. Milliseconds since 1970. */
export const useNow = (): number => {
  useSyncExternalStore(subscribe, () => steps)
  return present()
}
