import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  createTheme,
  type Combobox,
  type CSSVariablesResolver,
  type NumberInput,
  type Modal,
  type PasswordInput,
  type Select,
} from '@mantine/core'
import { decimalSignOf } from './decimals.ts'
import { language, t } from './texts.ts'

/** The look of the console. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: {
    ink: ['#eef1fb', '#dbe1f4', '#b6c1e8', '#94a4e0', '#7288d6', '#566fca', '#4a63c4', '#3b55b0', '#32489a', '#263a80'],
    dark: [
      '#d5d9e0',
      '#b4bac6',
      '#98a1b0',
      '#5b6372',
      '#3c4352',
      '#2b313c',
      '#20252e',
      '#181c23',
      '#13161c',
      '#0e1014',
    ],
  },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Open Sans', 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.78rem', sm: '0.875rem', md: '0.9375rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem' },
    },
  },
  radius: { sm: '0.25rem', md: '0.375rem', lg: '0.625rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  // A component that comes with a page or a dialog of its own is named here by its type alone.
  components: {
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } }),
    Anchor: Anchor.extend({ defaultProps: { fz: 'inherit' } }),
    // The choices open next to their control, inside the dialog or the landmark around it.
    Combobox: { defaultProps: { withinPortal: false, floatingStrategy: 'fixed' } } satisfies Parameters<
      typeof Combobox.extend
    >[0],
    // Whoever chooses what is chosen already wants to keep it; what can be empty has a button that empties it.
    Select: { defaultProps: { allowDeselect: false } } satisfies Parameters<typeof Select.extend>[0],
    // The colour of an alert is in its background; its text stays readable.
    Alert: Alert.extend({
      defaultProps: { variant: 'light' },
      styles: { title: { color: 'var(--mantine-color-text)' }, message: { color: 'var(--mantine-color-text)' } },
    }),
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('Show the password') } },
    } satisfies Parameters<typeof PasswordInput.extend>[0],
    // Only whole numbers are typed here, and the sign between thousands is not the one before decimals.
    NumberInput: {
      defaultProps: { allowDecimal: false, decimalSeparator: decimalSignOf(language) },
    } satisfies Parameters<typeof NumberInput.extend>[0],
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': t('Close') },
        // The head of a dialog is not that of the page.
        attributes: { header: { role: 'presentation' } },
        overlayProps: { backgroundOpacity: 0.4 },
        // Other transitions leave a transform behind, within which the choices of a field would be cut off.
        transitionProps: { transition: 'fade', duration: 120 },
      },
      styles: { title: { fontWeight: 600 } },
    } satisfies Parameters<typeof Modal.extend>[0],
  },
})

/** Greys that are quieter than the library's and still readable: text has a contrast of 4.5 or more on its background. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#5d6570',
    '--mantine-color-placeholder': '#6b7480',
    '--mantine-color-error': '#c02020',
    '--mantine-color-red-light-color': '#b32020',
    '--crm-ground': '#f6f7f9',
    '--crm-line': '#e3e6ea',
    '--crm-hover': '#f2f4f8',
    '--crm-accent-text': '#32489a',
    '--crm-warning-text': '#8a5300',
  },
  dark: {
    '--mantine-color-dimmed': '#98a1b0',
    '--mantine-color-placeholder': '#828b9a',
    '--mantine-color-error': '#ff8a8a',
    '--mantine-color-red-light-color': '#ff9a9a',
    '--crm-ground': '#13161c',
    '--crm-line': '#2b313c',
    '--crm-hover': '#20252e',
    '--crm-accent-text': '#a9b6ea',
    '--crm-warning-text': '#f0b866',
  },
})
