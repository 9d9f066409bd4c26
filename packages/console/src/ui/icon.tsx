// Icons, drawn with one line in a box of 16 × 16. They only repeat what the words beside them say.

const paths = {
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2",
  overview: "M2.5 13.5v-4M6.2 13.5v-9M9.8 13.5v-6M13.5 13.5v-11",
  people:
    "M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.6.5 2.5 1.8 2.5 3.6",
  companies:
    "M2.5 13.5v-11h6.5v11M9 6.5h4.5v7M1.5 13.5h13M4.8 5.3h1.9M4.8 8h1.9M4.8 10.7h1.9M11.3 9.3v1.5",
  topics:
    "M1.5 11.5c1.6 0 1.6-1.5 3.25-1.5S6.4 11.5 8 11.5s1.6-1.5 3.25-1.5 1.6 1.5 3.25 1.5M1.5 6.5C3.1 6.5 3.1 5 4.75 5S6.4 6.5 8 6.5 9.6 5 11.25 5s1.6 1.5 3.25 1.5",
  bell: "M3.5 11.5c1-1 1.2-2.2 1.2-4.2a3.3 3.3 0 0 1 6.6 0c0 2 .2 3.2 1.2 4.2zM6.5 13.5c.3.6.9 1 1.5 1s1.2-.4 1.5-1",
  audiences: "M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  send: "M13.8 2.2 7.3 8.7M13.8 2.2 9.7 13.8 7.3 8.7 2.2 6.3z",
  lists: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  suppress: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4",
  sites:
    "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2.2 8h11.6M8 2c1.7 1.7 2.4 3.7 2.4 6S9.7 12.3 8 14C6.3 12.3 5.6 10.3 5.6 8S6.3 3.7 8 2z",
  settings:
    "M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  down: "M4.5 6.5 8 10l3.5-3.5",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.2V5M10.5 2.2V5",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.2 6.3c.1-1 .8-1.6 1.8-1.6s1.8.6 1.8 1.6c0 1.4-1.8 1.4-1.8 2.8M8 11.3h.01",
  arrow: "M3 8h10M9 4l4 4-4 4",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  plus: "M8 3v10M3 8h10",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  download: "M8 2.5v7.5M4.8 7 8 10l3.2-3M2.5 13.5h11",
  x: "M4 4l8 8M12 4l-8 8",
  file: "M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.3h3.3",
  bolt: "M9 1.8 3.8 9H7.5l-.7 5.2L12.2 7H8.5z",
  form: "M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2",
  tag: "M2.5 2.5h5.3l5.9 5.9a1.1 1.1 0 0 1 0 1.6l-3.7 3.7a1.1 1.1 0 0 1-1.6 0L2.5 7.8zM5.3 5.3h.01",
  up: "M4.5 9.5 8 6l3.5 3.5",
  right: "M6.5 4.5 10 8l-3.5 3.5",
  check: "M3 8.5l3.3 3.3L13 4.8",
  warn: "M8 2.2 14.5 13.5h-13zM8 6.5v3.3M8 11.6h.01",
  note: "M3 13l.6-2.9 7.4-7.4a1.6 1.6 0 0 1 2.3 2.3L5.9 12.4z",
  person: "M8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM3 14c0-2.7 2.2-4.3 5-4.3s5 1.6 5 4.3",
  link: "M6.8 9.2a2.7 2.7 0 0 0 3.9.1l2.3-2.3a2.75 2.75 0 0 0-3.9-3.9l-.8.8M9.2 6.8a2.7 2.7 0 0 0-3.9-.1L3 9a2.75 2.75 0 0 0 3.9 3.9l.8-.8",
} as const

export type IconName = keyof typeof paths

interface IconProps {
  readonly name: IconName
  readonly size?: number
}

export const Icon = ({ name, size = 16 }: IconProps) => (
  <svg className="i" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
