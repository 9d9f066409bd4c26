// The present, as components may read it: they render again in steps, so that relative times stay true.
import { useSyncExternalStore } from "react"

/** A step. Units: milliseconds. */
const stepMs = 20_000

let steps = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

const step = (): void => {
  steps += 1
  for (const listener of listeners) listener()
}

/** One timer for all. */
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

/** Of this render, because what is shown may be newer than the last step. Units: milliseconds since 1970. */
export const useNow = (): number => {
  useSyncExternalStore(subscribe, () => steps)
  return present()
}
