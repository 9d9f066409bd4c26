// A value that is typed, a moment after the last change.
import { useEffect, useState } from "react"

/** Pause after which it counts. */
const pauseMs = 400

export const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
