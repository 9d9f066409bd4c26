// Renders a screen once, as text that can be scrolled, copied and piped. Loads React and Ink: import it only to draw.

import { renderToString } from "ink"
import { createElement, type ComponentType } from "react"

/** The screen at a width in columns, ending with a line break. */
export const drawn = <Props extends object>(
  screen: ComponentType<Props>,
  props: Props,
  columns: number,
): string => `${renderToString(createElement(screen, props), { columns })}\n`
