// The Markdown of the reference as HTML: paragraphs, lists, code, bold and links, and nothing else. The contract has no
// more, and a test fails when that changes.

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Blocks, or what is within one. */
export const html = (markdown: string, form: "blocks" | "inline" = "blocks"): string =>
  form === "inline"
    ? inline(markdown)
    : markdown
        .split(/\n{2,}/)
        .map((block) => (block.startsWith("- ") ? list(block) : `<p>${inline(block)}</p>`))
        .join("\n")

const list = (block: string): string =>
  `<ul>\n${block
    .split(/\n?^- /m)
    .slice(1)
    .map((item) => `<li>${inline(item)}</li>`)
    .join("\n")}\n</ul>`

/** Links lead to schemas. What is in code is not looked at again. */
const inline = (text: string): string =>
  escaped(text)
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`.+`$/s.test(part)
        ? `<code>${part.slice(1, -1)}</code>`
        : part
            .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
            .replaceAll(/\[([^\]]+)\]\(#([^)]+)\)/g, '<a href="#schema-$2">$1</a>'),
    )
    .join("")
