// The product name.
export const Mark = () => (
  <span className="mark">
    <svg
      viewBox="0 0 32 32"
      width="22"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M4 11c4-4 8-4 12 0s8 4 12 0" />
      <path d="M4 18c4-4 8-4 12 0s8 4 12 0" opacity=".7" />
      <path d="M4 25c4-4 8-4 12 0s8 4 12 0" opacity=".4" />
    </svg>
    <span>Footfall</span>
  </span>
)
