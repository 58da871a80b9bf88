import classes from './method-mark.module.css'

/** The method of an operation. */
export function MethodMark({ method }: { readonly method: string }) {
  return (
    <span className={classes.method} data-method={method}>
      {method}
    </span>
  )
}
