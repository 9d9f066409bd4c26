// A search box for a list. It searches shortly after the last keystroke.
import { useEffect, useRef, useState } from "react"

interface SearchBoxProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onValue: (text: string) => void
}

/** How long to wait after the last keystroke. */
const pauseMs = 300

export const SearchBox = ({ label, placeholder, value, onValue }: SearchBoxProps) => {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The URL can also change without typing.
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      type="search"
      className="input fit"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      maxLength={255}
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => onValue(next.trim()), pauseMs)
      }}
    />
  )
}
