-- Times of a calendar are written only by a transaction that holds the lock of that calendar (packages/db/src/calendar.ts).
-- The owner of the schema is not asked: a restored backup writes rows as they were.
CREATE FUNCTION crm_require_calendar() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE person text := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
  IF current_setting('crm.calendar', true) IS DISTINCT FROM person
    AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
  THEN
    RAISE EXCEPTION 'The transaction does not hold the calendar that it writes to' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER bookings_require_calendar BEFORE INSERT OR UPDATE OF organizer_id, status, start_at, end_at ON bookings
  FOR EACH ROW EXECUTE FUNCTION crm_require_calendar('organizer_id');
--> statement-breakpoint
CREATE TRIGGER calendar_events_require_calendar BEFORE INSERT OR UPDATE OF employee_id, start_at, end_at, all_day, start_date, end_date, busy ON calendar_events
  FOR EACH ROW EXECUTE FUNCTION crm_require_calendar('employee_id');
