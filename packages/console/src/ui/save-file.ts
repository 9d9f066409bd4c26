// Saves a file, CSV unless `type` says otherwise, as a download of the browser.
export const saveFile = (
  name: string,
  parts: ReadonlyArray<BlobPart>,
  type = "text/csv;charset=utf-8",
): void => {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
