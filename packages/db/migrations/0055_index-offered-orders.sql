CREATE INDEX CONCURRENTLY IF NOT EXISTS "price_lists_by_company" ON "price_lists" USING gin ("workspace_id","company_ids");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "product_attribute_assignments_by_value" ON "product_attribute_assignments" USING gin ("workspace_id","value_ids");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "products_by_tag" ON "products" USING gin ("workspace_id","tags") WHERE "products"."deleted_at" is null and cardinality("products"."tags") > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_by_custom_field" ON "companies" USING gin ("workspace_id","custom_fields" jsonb_path_ops) WHERE "companies"."deleted_at" is null and "companies"."custom_fields" <> '{}';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_by_tag" ON "companies" USING gin ("workspace_id","tags") WHERE "companies"."deleted_at" is null and cardinality("companies"."tags") > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_in_order_of_change" ON "companies" USING btree ("workspace_id","updated_at","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_in_order_of_domain" ON "companies" USING btree ("workspace_id","domain" COLLATE "crm_names","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_by_custom_field" ON "contacts" USING gin ("workspace_id","custom_fields" jsonb_path_ops) WHERE "contacts"."deleted_at" is null and "contacts"."custom_fields" <> '{}';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_by_tag" ON "contacts" USING gin ("workspace_id","tags") WHERE "contacts"."deleted_at" is null and cardinality("contacts"."tags") > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_in_order_of_change" ON "contacts" USING btree ("workspace_id","updated_at","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_in_order_of_first_name" ON "contacts" USING btree ("workspace_id","first_name" COLLATE "crm_names","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_in_order_of_email" ON "contacts" USING btree ("workspace_id","email" COLLATE "crm_names","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_by_custom_field" ON "deals" USING gin ("workspace_id","custom_fields" jsonb_path_ops) WHERE "deals"."deleted_at" is null and "deals"."custom_fields" <> '{}';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_by_tag" ON "deals" USING gin ("workspace_id","tags") WHERE "deals"."deleted_at" is null and cardinality("deals"."tags") > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_change" ON "deals" USING btree ("workspace_id","updated_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_amount" ON "deals" USING btree ("workspace_id","amount","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_status" ON "deals" USING btree ("workspace_id","status","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_stage" ON "deals" USING btree ("workspace_id","stage_id","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_close_date" ON "deals" USING btree ("workspace_id","expected_close_date","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_stage_change" ON "deals" USING btree ("workspace_id","stage_changed_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_by_custom_field" ON "leads" USING gin ("workspace_id","custom_fields" jsonb_path_ops) WHERE "leads"."deleted_at" is null and "leads"."custom_fields" <> '{}';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_by_tag" ON "leads" USING gin ("workspace_id","tags") WHERE "leads"."deleted_at" is null and cardinality("leads"."tags") > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_change" ON "leads" USING btree ("workspace_id","updated_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_last_name" ON "leads" USING btree ("workspace_id","last_name" COLLATE "crm_names","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_company_name" ON "leads" USING btree ("workspace_id","company_name" COLLATE "crm_names","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_status" ON "leads" USING btree ("workspace_id","status","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_score" ON "leads" USING btree ("workspace_id","score","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_stage" ON "leads" USING btree ("workspace_id","stage_id","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_stage_change" ON "leads" USING btree ("workspace_id","stage_changed_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_by_temperature" ON "leads" USING btree ("workspace_id","temperature","created_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_by_messenger" ON "leads" USING gin ("workspace_id","messengers" jsonb_path_ops) WHERE "leads"."deleted_at" is null and "leads"."messengers" <> '[]';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "custom_records_by_custom_field" ON "custom_records" USING gin ("workspace_id","custom_fields" jsonb_path_ops) WHERE "custom_records"."deleted_at" is null and "custom_records"."custom_fields" <> '{}';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "projects_by_member" ON "projects" USING gin ("workspace_id","member_ids");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_in_order_of_change" ON "tasks" USING btree ("workspace_id","updated_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_in_order_of_title" ON "tasks" USING btree ("workspace_id","title" COLLATE "crm_names","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_in_order_of_status" ON "tasks" USING btree ("workspace_id","status","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_in_order_of_priority" ON "tasks" USING btree ("workspace_id",array_position(ARRAY['LOW', 'NORMAL', 'HIGH', 'URGENT'], "priority"),"id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_in_order_of_start" ON "tasks" USING btree ("workspace_id","start_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_in_order_of_due" ON "tasks" USING btree ("workspace_id","due_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_in_order_of_completion" ON "tasks" USING btree ("workspace_id","completed_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_by_tag" ON "tasks" USING gin ("workspace_id","tags") WHERE "tasks"."deleted_at" is null and cardinality("tasks"."tags") > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_by_member" ON "tasks" USING gin ("workspace_id","member_ids");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_in_order_of_next_task" ON "companies" USING btree ("workspace_id","next_task_at","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "companies_in_order_of_last_activity" ON "companies" USING btree ("workspace_id","last_activity_at","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_in_order_of_next_task" ON "contacts" USING btree ("workspace_id","next_task_at","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_in_order_of_last_activity" ON "contacts" USING btree ("workspace_id","last_activity_at","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_next_task" ON "deals" USING btree ("workspace_id","next_task_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deals_in_order_of_last_activity" ON "deals" USING btree ("workspace_id","last_activity_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_next_task" ON "leads" USING btree ("workspace_id","next_task_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "leads_in_order_of_last_activity" ON "leads" USING btree ("workspace_id","last_activity_at","id") WHERE "leads"."deleted_at" is null;
