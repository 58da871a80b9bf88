import type { ReactNode } from 'react'

/** Line icons of 24 units, drawn in the colour of the surrounding text. */
const drawings = {
  leads: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M3 19.5c.6-3.4 3-5 6-5s5.4 1.6 6 5M16 4.800a3.5 3.5 0 0 1 0 6.400M17.5 14.800c1.9.6 3.1 2.1 3.5 4.7" />
    </>
  ),
  deals: (
    <>
      <rect x="3.5" y="4.500" width="5" height="15" rx="1.5" />
      <rect x="10.5" y="4.500" width="5" height="10" rx="1.5" />
      <path d="M17.500 6v5.500a1.500 1.500 0 0 0 3 0V6a1.500 1.500 0 0 0-3 0z" />
    </>
  ),
  projects: (
    <>
      <path d="M3.5 7.500a2 2 0 0 1 2-2h4l2 2.500h7a2 2 0 0 1 2 2v7.500a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2z" />
      <path d="m9 14.500 2 2 4-4" />
    </>
  ),
  tasks: (
    <>
      <rect x="4" y="4" width="16" height="16" rx="3" />
      <path d="m8 12.300 2.800 2.800L16.200 9.500" />
    </>
  ),
  products: (
    <>
      <path d="M4.500 8.500h15l-1 11.500h-13z" />
      <path d="M8.500 8.500V7a3.500 3.500 0 0 1 7 0v1.500" />
    </>
  ),
  prices: (
    <>
      <path d="M11.500 3.500h8.500v8.500l-8.500 8.500-8.500-8.500z" />
      <circle cx="16" cy="8" r="1.500" />
    </>
  ),
  records: (
    <>
      <path d="M12 3.500 20 7.500v9l-8 4-8-4v-9z" />
      <path d="m4 7.500 8 4 8-4M12 11.500v9" />
    </>
  ),
  contacts: (
    <>
      <rect x="4.5" y="3.5" width="14" height="17" rx="2.5" />
      <circle cx="11.5" cy="10" r="2.5" />
      <path d="M7.5 16.500c.5-2 2.1-3 4-3s3.500 1 4 3M18.500 7.500h2M18.500 12h2M18.500 16.500h2" />
    </>
  ),
  companies: (
    <>
      <path d="M4.500 20.500v-15l8-2v17M12.500 9.500l7 2v9M3 20.500h18" />
      <path d="M7.500 9h2M7.500 12.500h2M7.500 16h2M15.500 14.500h1M15.500 17.500h1" />
    </>
  ),
  lock: (
    <>
      <rect x="5" y="10.500" width="14" height="10" rx="2" />
      <path d="M8 10.500V8a4 4 0 0 1 8 0v2.500M12 14.500v2" />
    </>
  ),
  pin: <path d="M9 3.500h6M10 3.500v6.500l-3 4h10l-3-4V3.500M12 14v6.500" />,
  key: (
    <>
      <circle cx="8" cy="15.5" r="4" />
      <path d="m11 12.5 8.5-8.500M16 7.500l3 3" />
    </>
  ),
  connection: (
    <>
      <path d="M9 3.500v4M15 3.500v4M6.5 7.500h11v3.500a5.5 5.5 0 0 1-11 0z" />
      <path d="M12 16.500v4" />
    </>
  ),
  person: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.500c.8-4 3.7-6 7.5-6s6.7 2 7.5 6" />
    </>
  ),
  people: (
    <>
      <circle cx="8" cy="9" r="3" />
      <circle cx="16.5" cy="9" r="2.5" />
      <path d="M2.5 19c.5-3.2 2.6-4.8 5.5-4.800s5 1.6 5.5 4.800M15.5 14.200c3-.3 5.3 1.2 6 4.3" />
    </>
  ),
  workspace: (
    <>
      <rect x="3.5" y="4.5" width="17" height="15" rx="2.5" />
      <path d="M3.5 9.500h17M8.5 9.500v10" />
    </>
  ),
  log: (
    <>
      <path d="M6 3.500h12v17H6zM9.5 8h5M9.5 12h5M9.5 16h3" />
    </>
  ),
  flow: (
    <>
      <rect x="3.5" y="4" width="7" height="5" rx="1.5" />
      <rect x="13.5" y="15" width="7" height="5" rx="1.500" />
      <path d="M7 9v5.500a3 3 0 0 0 3 3h3.5" />
    </>
  ),
  rule: <path d="M13 3.500 5 13.500h6l-1 7 8-10h-6z" />,
  departments: (
    <>
      <rect x="9" y="3.5" width="6" height="5" rx="1.5" />
      <rect x="3" y="15.5" width="6" height="5" rx="1.5" />
      <rect x="15" y="15.5" width="6" height="5" rx="1.5" />
      <path d="M12 8.500v3.500M6 15.500V12h12v3.500" />
    </>
  ),
  shield: <path d="M12 3.500 5 6v5.500c0 4.300 2.800 7.400 7 9 4.200-1.600 7-4.700 7-9V6z" />,
  stages: <path d="M3.5 6.500h6.500l3 5.500-3 5.500H3.500l3-5.500zM13.500 6.500h4l3 5.500-3 5.500h-4" />,
  fields: (
    <>
      <rect x="3.5" y="5" width="17" height="5.5" rx="1.5" />
      <rect x="3.5" y="13.5" width="17" height="5.5" rx="1.5" />
      <path d="M7 7.700h.1M7 16.200h.1" />
    </>
  ),
  list: <path d="M9 6.500h11M9 12h11M9 17.500h11M4.500 6.500h.1M4.500 12h.1M4.500 17.500h.1" />,
  import: <path d="M12 3.500v11M7.500 10.500l4.500 4.500 4.500-4.500M4 16.500v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2" />,
  export: <path d="M12 14.500v-11M7.500 8l4.500-4.500L16.500 8M4 16.500v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2" />,
  restore: <path d="M4.500 5v5h5M5 10a7.500 7.500 0 1 1-.5 4" />,
  docs: (
    <>
      <path d="M12 6.500c-2-1.6-4.6-2-8-2v13.500c3.4 0 6 .4 8 2 2-1.6 4.6-2 8-2V4.500c-3.4 0-6 .4-8 2zM12 6.500v13.5" />
    </>
  ),
  meeting: (
    <>
      <rect x="3" y="6.5" width="12" height="11" rx="2.5" />
      <path d="m15 11 5.5-3v8L15 13" />
    </>
  ),
  calendar: (
    <>
      <rect x="4" y="5.5" width="16" height="14.5" rx="2.5" />
      <path d="M4 10h16M8.5 3.500v4M15.5 3.500v4" />
    </>
  ),
  link: (
    <path d="M10 14a4 4 0 0 0 6 .4l2.6-2.600a4 4 0 0 0-5.6-5.600l-1.4 1.400M14 10a4 4 0 0 0-6-.4l-2.6 2.600a4 4 0 0 0 5.6 5.600l1.4-1.4" />
  ),
  search: (
    <>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="m15.2 15.2 5 5" />
    </>
  ),
  filter: <path d="M4 6h16M7.500 12h9M10.500 18h3" />,
  plus: <path d="M12 5v14M5 12h14" />,
  cross: <path d="m6 6 12 12M18 6 6 18" />,
  quote: (
    <>
      <path d="M6 3.500h8l4 4v13H6z" />
      <path d="M14 3.500v4h4M9.5 12h5M9.5 15.500h3" />
    </>
  ),
  document: (
    <>
      <path d="M5.5 3.500h9l4 4v13h-13z" />
      <path d="M14.500 3.500v4h4M9 17c1.200-2.500 2.300-2.500 3 0 .8-1 1.600-1 3 0" />
    </>
  ),
  template: (
    <>
      <path d="M5.5 3.500h13v17h-13z" />
      <path d="M10 8c-1.300 0-1 1.200-1 2s-.3 1.500-1 1.700c.7.2 1 .9 1 1.700s-.3 2.100 1 2.100M14 8c1.300 0 1 1.200 1 2s.3 1.500 1 1.700c-.7.2-1 .9-1 1.700s.3 2.100-1 2.100" />
    </>
  ),
  talk: (
    <>
      <path d="M4 5.500h11a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H9l-4 3.500v-3.500H4a1.500 1.500 0 0 1-1.500-1.500V7A1.500 1.500 0 0 1 4 5.500z" />
      <path d="M20 9.500a1.500 1.500 0 0 1 1.500 1.500v5a1.500 1.500 0 0 1-1.500 1.500h-.5v3l-3.500-3h-3" />
    </>
  ),
  order: (
    <>
      <path d="M3.5 4.500h2.500l2 10.500h9.500l2-7.500H6.700" />
      <circle cx="9.500" cy="18.700" r="1.300" />
      <circle cx="16" cy="18.700" r="1.300" />
    </>
  ),
  invoice: (
    <>
      <path d="M6 3.500h12v17l-3-2-3 2-3-2-3 2z" />
      <path d="M9.5 8h5M9.5 12h5" />
    </>
  ),
  tree: (
    <>
      <rect x="3.5" y="4" width="7" height="4.500" rx="1.200" />
      <rect x="13.500" y="10" width="7" height="4.500" rx="1.200" />
      <rect x="13.500" y="16" width="7" height="4.500" rx="1.200" />
      <path d="M7 8.500v9.700h6.500M7 12.200h6.500" />
    </>
  ),
  attribute: <path d="M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 5v4M9 10v4M17 15v4" />,
  money: (
    <>
      <rect x="3.5" y="6" width="17" height="12" rx="2" />
      <circle cx="12" cy="12" r="2.500" />
      <path d="M6.5 9.500h.1M17.500 14.500h.1" />
    </>
  ),
  number: <path d="M9.500 4 7.500 20M16.500 4l-2 16M4.500 9h15.500M4 15h15.500" />,
  dots: <path d="M5.500 12h.1M12 12h.1M18.500 12h.1" />,
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
      <path d="M15.5 8.500v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />
    </>
  ),
  trash: <path d="M4.500 7h15M9.500 7V4.500h5V7M6.500 7l1 12.500h9l1-12.500M10.500 10.500v5.500M13.500 10.500v5.500" />,
  check: <path d="m5 12.5 4.5 4.500L19 7.5" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.400M18.4 5.6 17 7M7 17l-1.4 1.4" />
    </>
  ),
  moon: <path d="M19.5 14.500A8 8 0 0 1 9.5 4.500a8 8 0 1 0 10 10z" />,
  leave: (
    <path d="M14 4.500H6.500a1.5 1.5 0 0 0-1.5 1.500v12a1.5 1.5 0 0 0 1.5 1.500H14M10.5 12H20M16.5 8.5 20 12l-3.5 3.5" />
  ),
  inbox: (
    <path d="M4 13.500 6.500 5.500h11l2.500 8v5a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 4 18.500zM4 13.500h4.500l1.500 2.500h4l1.500-2.500H20" />
  ),
  bell: <path d="M6.500 16.500V11a5.500 5.500 0 0 1 11 0v5.500l1.500 1.500H5zM10 20.500h4" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.500V12l3 2" />
    </>
  ),
  eye: (
    <>
      <path d="M3.500 12c2-3.700 4.900-5.500 8.500-5.500s6.500 1.800 8.500 5.500c-2 3.700-4.900 5.500-8.500 5.500S5.500 15.700 3.500 12z" />
      <circle cx="12" cy="12" r="2.500" />
    </>
  ),
  unread: (
    <>
      <path d="M4 7.500a2 2 0 0 1 2-2h7M20 11.500v5a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-9l8 6 3.500-2.600" />
      <circle cx="18.500" cy="6.500" r="2.500" fill="currentColor" />
    </>
  ),
  chart: <path d="M4 20V4M4 20h16M8.500 16.500v-5M13 16.500v-9M17.500 16.500v-3" />,
  home: <path d="M4 11.500 12 4.500l8 7M6.500 9.500V19.500h4v-5h3v5h4V9.500" />,
  left: <path d="m14.5 5.5-6.5 6.5 6.5 6.5" />,
  sidePanel: (
    <>
      <rect x="3.5" y="5" width="17" height="14" rx="2" />
      <path d="M14 5v14" />
    </>
  ),
  open: (
    <path d="M13.5 4.500h6v6M19.500 4.500l-8 8M10 5.500H6a1.500 1.500 0 0 0-1.500 1.500v11A1.500 1.500 0 0 0 6 19.500h11a1.500 1.500 0 0 0 1.500-1.500v-4" />
  ),
  phone: (
    <path d="M7.500 4.500h2.200l1.600 4-2 1.600a11 11 0 0 0 4.600 4.600l1.600-2 4 1.600v2.200a2 2 0 0 1-2.200 2A15.500 15.500 0 0 1 5.500 6.700a2 2 0 0 1 2-2.200z" />
  ),
  mail: (
    <>
      <rect x="3.500" y="5.500" width="17" height="13" rx="2" />
      <path d="m4 7.500 8 6 8-6" />
    </>
  ),
  edit: <path d="M4.500 19.500v-4l11-11 4 4-11 11zM13 7l4 4" />,
  right: <path d="m9.5 5.5 6.5 6.5-6.5 6.5" />,
  up: <path d="m6 14.5 6-6 6 6" />,
  down: <path d="m6 9.5 6 6 6-6" />,
  undo: <path d="M9 6 4.500 10.500 9 15M4.500 10.500H15a4.500 4.500 0 0 1 0 9h-3" />,
  alert: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.500v5.500M12 16.200v.1" />
    </>
  ),
} satisfies Readonly<Record<string, ReactNode>>

export type IconName = keyof typeof drawings

/** Whether a word is the name of an icon. */
export function isIconName(word: string): word is IconName {
  return Object.hasOwn(drawings, word)
}

/** An icon beside a text, hidden from screen readers. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  )
}
