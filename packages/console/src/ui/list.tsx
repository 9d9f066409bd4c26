// A table of any length that loads pages as the user scrolls. It renders only visible rows, `j` and `k` move through
// them, and columns that don't fit are hidden.
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual"
import {
  memo,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
} from "react"
import { flushSync } from "react-dom"
import { isPlain, useKeys } from "./keys.ts"
import { count } from "./time.tsx"

export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** Shows the title only to screen readers. */
  readonly isTitleHidden?: boolean
  /** A CSS grid track. */
  readonly width: string
  readonly isNumber?: boolean
  /** Minimum list width at which the column shows. In pixels. */
  readonly from?: number
  readonly cell: (row: Row) => ReactNode
}

interface ListProps<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** Key of the row whose record is open next to the list. */
  readonly openKey?: string | undefined
  /** Rows that do not count, such as suppressed people, are grey. */
  readonly isFaint?: (row: Row) => boolean
  /** Rows of the whole list; undefined if unknown. */
  readonly total?: number | undefined
  /** Called when the end of the rows is near. */
  readonly onEnd?: (() => void) | undefined
  readonly foot?: ReactNode
}

const rowHeight = 52

const headHeight = 36

/** Rows to render above and below the visible ones. */
const overscan = 8

/** After a jump every row is new, so render only the visible ones. */
const makeRangeExtractor = () => {
  let before = { startIndex: 0, endIndex: 0 }
  return (range: Range): Array<number> => {
    const isJump = range.startIndex > before.endIndex || range.endIndex < before.startIndex
    before = range
    return defaultRangeExtractor(isJump ? { ...range, overscan: 0 } : range)
  }
}

/** How many rows from the end to load more. */
const nearEnd = 20

export const List = <Row,>({
  label,
  columns,
  rows,
  keyOf,
  openKey,
  isFaint,
  total,
  onEnd,
  foot,
}: ListProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const [rangeExtractor] = useState(makeRangeExtractor)
  const visible = useMemo(() => columns.filter(({ from = 0 }) => width >= from), [columns, width])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    rangeExtractor,
    scrollMargin: headHeight,
  })
  const isPrinting = useIsPrinting()
  const items = isPrinting
    ? rows.map((_, index) => ({ index, start: headHeight + index * rowHeight }))
    : virtual.getVirtualItems()
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0
  const onNearEnd = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (last >= rows.length - nearEnd) onNearEnd()
  }, [last, rows.length])

  const openIndex = openKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === openKey)
  const focusRow = (index: number): void => {
    const find = () =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] a.open`)
    const go = (link: HTMLElement | null | undefined): void => {
      link?.focus()
      // The open record follows.
      if (openKey !== undefined) link?.click()
    }
    virtual.scrollToIndex(index)
    const row = find()
    if (row) go(row)
    else requestAnimationFrame(() => go(find()))
  }
  useKeys((event) => {
    if ((event.key !== "j" && event.key !== "k") || !isPlain(event)) return
    const row = document.activeElement?.closest<HTMLElement>("[data-index]")
    const at = row === null || row === undefined ? openIndex : Number(row.dataset["index"])
    const next = event.key === "j" ? at + 1 : at - 1
    if (next >= 0 && next < rows.length) focusRow(next)
  })

  const style: CSSProperties & Record<"--columns", string> = {
    "--columns": visible.map((column) => column.width).join(" "),
  }
  return (
    <>
      <div
        className="list"
        ref={scroller}
        style={style}
        role="table"
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        tabIndex={0}
      >
        <div role="rowgroup" className="list-head-group">
          <div className="list-head" role="row" aria-rowindex={1}>
            {visible.map(({ id, title, isNumber = false, isTitleHidden = false }) => (
              <div key={id} role="columnheader" className={isNumber ? "number" : "cut"}>
                <span className={isTitleHidden ? "hidden" : undefined}>{title}</span>
              </div>
            ))}
          </div>
        </div>
        <div className="list-rows" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const key = keyOf(row)
            return (
              <Row
                key={key}
                row={row}
                columns={visible}
                index={index}
                top={start - headHeight}
                isOpen={key === openKey}
                isFaint={isFaint?.(row) ?? false}
              />
            )
          })}
        </div>
      </div>
      {isPrinting && total !== undefined && total > rows.length && (
        <p>
          The first {count(rows.length)} of {count(total)}. Scroll down to load more before you
          print, or save the list as a file.
        </p>
      )}
      {foot !== undefined && <p className="list-foot">{foot}</p>}
    </>
  )
}

interface RowProps<Item> {
  readonly row: Item
  readonly columns: ReadonlyArray<Column<Item>>
  readonly index: number
  /** In pixels. */
  readonly top: number
  readonly isOpen: boolean
  readonly isFaint: boolean
}

const AnyRow = <Item,>({ columns, index, isFaint, isOpen, row, top }: RowProps<Item>) => (
  <div
    className="list-row"
    role="row"
    aria-rowindex={index + 2}
    data-index={index}
    data-open={isOpen}
    data-faint={isFaint}
    style={{ transform: `translateY(${top}px)` }}
  >
    {columns.map(({ id, cell, isNumber = false }) => (
      <div key={id} role="cell" className={isNumber ? "number" : undefined}>
        {cell(row)}
      </div>
    ))}
  </div>
)

/** Scrolling renders only the rows that come into view. */
const Row = memo(AnyRow) as typeof AnyRow

/** Paper shows every row that is loaded. The browser takes the page right after `beforeprint`. */
const useIsPrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const begin = (): void => flushSync(() => setPrinting(true))
    const end = (): void => setPrinting(false)
    addEventListener("beforeprint", begin)
    addEventListener("afterprint", end)
    return () => {
      removeEventListener("beforeprint", begin)
      removeEventListener("afterprint", end)
    }
  }, [])
  return isPrinting
}

const useWidth = (element: React.RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const observer = new ResizeObserver(() => setWidth(target.clientWidth))
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return width
}
