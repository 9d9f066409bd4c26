// The picture on a live screen: as wide and as high as the terminal is at the moment, until somebody
// presses q or Ctrl-C.

import { Text, useApp, useInput, useWindowSize } from "ink"
import type { ReactNode } from "react"
import { TopView, type TopViewProps } from "../screens/TopView.tsx"

/** A picture, or null before there is one. */
export type TopScreenProps = Omit<TopViewProps, "screenColumns" | "screenRows" | "sight"> & {
  readonly sight: TopViewProps["sight"] | null
}

export const TopScreen = ({ sight, ...props }: TopScreenProps): ReactNode => {
  const { columns, rows } = useWindowSize()
  const { exit } = useApp()
  useInput((input, key) => {
    if (input === "q" || (key.ctrl && input === "c") || key.escape) exit()
  })
  if (sight === null) return <Text dimColor>Looking …</Text>
  return <TopView sight={sight} {...props} screenColumns={columns} screenRows={rows} />
}
