// A typed value, updated shortly after the last change.
import { useEffect, useState } from "react"

/** How long to wait after the last change. */
const pauseMs = 400

export const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
