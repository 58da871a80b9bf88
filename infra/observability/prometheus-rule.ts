/** Returns the rules of `alerts.yaml` as the resource that the Prometheus operator reads. */
export function prometheusRule(alerts: string): string {
  const rules = alerts.replace(/^#.*\n/gm, '').replaceAll(/^(?=.)/gm, '  ')
  return `# Generated from alerts.yaml by \`npm run alerts\`; do not edit.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: workspace-crm }
spec:
${rules}`
}
