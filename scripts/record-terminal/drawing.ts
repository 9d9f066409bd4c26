// Terminal frames as one SVG that plays by itself, even on a repository page. Each distinct line is drawn once, the
// frames are placed side by side, and a style moves from one to the next.

export interface Style {
  /** One of the 256 colors, or a CSS value; undefined is the text color. */
  readonly color: number | string | undefined
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isInverse: boolean
}

export interface Run {
  readonly column: number
  readonly text: string
  readonly style: Style
}

export interface Frame {
  /** How long the frame stays. */
  readonly ms: number
  readonly lines: ReadonlyArray<ReadonlyArray<Run>>
  readonly cursor: { readonly column: number; readonly row: number }
}

const ink = "#e9ece8"
const paper = "#0d161b"
const cell = { width: 8.4, height: 19 }
const padding = 18
const bar = 30

/** The sixteen terminal colors, mapped to the console's colors. */
const colors = [
  ...["#26353c", "#f0917f", "#5fd6bd", "#f2b84b", "#9cc0f0", "#d5a6e6", "#53c3b3", "#c9d2d0"],
  ...["#7d8f93", "#f0917f", "#5fd6bd", "#f2cd83", "#9cc0f0", "#d5a6e6", "#5fd6bd", "#ffffff"],
]

const colorOf = (color: Style["color"]): string => {
  if (typeof color === "string") return color
  if (color === undefined) return ink
  if (color < 16) return colors[color]!
  if (color >= 232) return `rgb(${Array(3).fill((color - 232) * 10 + 8)})`
  const level = (steps: number) => (steps === 0 ? 0 : 55 + 40 * steps)
  const rest = color - 16
  return `rgb(${[Math.floor(rest / 36), Math.floor(rest / 6) % 6, rest % 6].map(level)})`
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const number = (value: number): string => String(Math.round(value * 100) / 100)

const drawnRun = ({ column, style, text }: Run): string => {
  const start = text.length - text.trimStart().length
  const words = style.isInverse ? text : text.trim()
  const at = column + (style.isInverse ? 0 : start)
  const x = number(at * cell.width)
  const length = number([...words].length * cell.width)
  const fill = style.isInverse ? paper : colorOf(style.color)
  const behind = style.isInverse
    ? `<rect x="${x}" y="-14" width="${length}" height="${cell.height}" fill="${colorOf(style.color)}"/>`
    : ""
  const attributes = [
    ...(fill === ink ? [] : [`fill="${fill}"`]),
    ...(style.isBold ? ['font-weight="700"'] : []),
    ...(style.isDim ? ['opacity="0.6"'] : []),
  ].map((attribute) => ` ${attribute}`)
  return `${behind}<text x="${x}" textLength="${length}"${attributes.join("")}>${escaped(words)}</text>`
}

export const drawing = (
  frames: ReadonlyArray<Frame>,
  size: { readonly cols: number; readonly rows: number },
): string => {
  const width = Math.ceil(size.cols * cell.width + padding * 2)
  const height = size.rows * cell.height + padding + bar
  const lines = new Map<string, string>()
  const idOf = (line: ReadonlyArray<Run>): string => {
    const drawn = line.map(drawnRun).join("")
    const id = lines.get(drawn) ?? `l${lines.size}`
    lines.set(drawn, id)
    return id
  }
  const shown = frames.map(({ cursor, lines: rows }, at) => {
    const used = rows.flatMap((line, row) =>
      line.length === 0 ? [] : [`<use href="#${idOf(line)}" y="${row * cell.height}"/>`],
    )
    const caret = `<rect x="${number(cursor.column * cell.width)}" y="${cursor.row * cell.height - 14}" width="${cell.width}" height="17" fill="#53c3b3"/>`
    return `<g transform="translate(${at * width})">${used.join("")}${caret}</g>`
  })
  const total = frames.reduce((sum, { ms }) => sum + ms, 0)
  let before = 0
  const steps = frames.map(({ ms }, at) => {
    const step = `${number((before / total) * 100)}%{transform:translateX(-${at * width}px)}`
    before += ms
    return step
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${ink}">
<title>The command line: who visited, who read the pricing page, a list of customers to suppress, and the trend of a topic</title>
<style>text{white-space:pre}.film{animation:film ${number(total / 1000)}s steps(1,end) infinite}@keyframes film{${steps.join("")}}</style>
<defs>${[...lines].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`).join("\n")}</defs>
<rect width="${width}" height="${height}" rx="10" fill="${paper}"/>
<g fill="#26353c"><circle cx="20" cy="16" r="5"/><circle cx="37" cy="16" r="5"/><circle cx="54" cy="16" r="5"/></g>
<svg x="${padding}" y="${bar + 14}" width="${width - padding * 2}" height="${height - bar - 14}" overflow="hidden"><g transform="translate(0 14)"><g class="film">${shown.join("\n")}</g></g></svg>
</svg>
`
}
