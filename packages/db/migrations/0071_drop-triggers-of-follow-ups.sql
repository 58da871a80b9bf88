-- contract
-- Writes are followed by a statement that counts (docs/decisions/follow-ups.md).
DROP TRIGGER record_links_followed_insert ON record_links;
--> statement-breakpoint
DROP TRIGGER record_links_followed_delete ON record_links;
--> statement-breakpoint
DROP TRIGGER tasks_followed ON tasks;
--> statement-breakpoint
DROP TRIGGER activities_followed ON activities;
--> statement-breakpoint
DROP TRIGGER contacts_followed ON contacts;
--> statement-breakpoint
DROP TRIGGER deals_followed ON deals;
--> statement-breakpoint
DROP FUNCTION crm_links_changed(), crm_task_changed(), crm_activity_changed(), crm_company_part_changed(),
  crm_follow_up_linked(uuid, text, uuid[]), crm_follow_up(uuid, text, uuid[]), crm_follow_up_leads(uuid, uuid[]),
  crm_follow_up_contacts(uuid, uuid[]), crm_follow_up_deals(uuid, uuid[]), crm_follow_up_companies(uuid, uuid[]);
--> statement-breakpoint
DROP PROCEDURE crm_keep_follow_ups(text, text, text);
