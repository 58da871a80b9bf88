/** Returns the record in DNS by which the owner of a domain proves it. */
export function domainRecord({ domain, challenge }: { readonly domain: string; readonly challenge: string }) {
  return { type: 'TXT' as const, name: `_crm-challenge.${domain}`, value: `crm-domain=${challenge}` }
}
