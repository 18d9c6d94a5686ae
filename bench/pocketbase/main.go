// Command pocketbase is a PocketBase with our courses in it, to be measured beside ours. It has a module of its own, so
// that nothing of it gets into ours.
//
//	pocketbase fill --dir FOLDER COURSES.json >PEOPLE.json
//	pocketbase serve --dir FOLDER --http ADDRESS
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
	"github.com/spf13/cobra"
)

// How many people there are, and how many of them have saved how many courses.
const crowd, readers, saved = 600, 200, 10

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{HideStartBanner: true})
	app.RootCmd.AddCommand(&cobra.Command{
		Use: "fill", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return fill(app, args[0]) },
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

type person struct {
	ID    string `json:"id"`
	Token string `json:"token"`
}

func fill(app core.App, file string) error {
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var rows []map[string]any
	if err := json.Unmarshal(text, &rows); err != nil {
		return err
	}
	var out struct {
		Courses []string `json:"courses"`
		People  []person `json:"people"`
	}
	courses, err := coursesOf(app)
	if err != nil {
		return err
	}
	for _, row := range rows {
		delete(row, "id") // its own are shorter
		record := core.NewRecord(courses)
		record.Load(row)
		if err := app.Save(record); err != nil {
			return fmt.Errorf("course: %w", err)
		}
		out.Courses = append(out.Courses, record.Id)
	}
	if out.People, err = peopleOf(app); err != nil {
		return err
	}
	if err := savedOf(app, courses, out.Courses, out.People); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// coursesOf makes the table of courses, which everybody may read: the columns and the index of ours.
func coursesOf(app core.App) (*core.Collection, error) {
	c := core.NewBaseCollection("courses")
	c.ListRule, c.ViewRule = types.Pointer(""), types.Pointer("")
	for _, name := range []string{
		"title", "instructor", "duration", "category", "thumbnail", "description", "level", "learn", "audience", "outcome", "instructor_bio",
	} {
		c.Fields.Add(&core.TextField{Name: name, Max: 20000})
	}
	c.Fields.Add(&core.NumberField{Name: "lessons"}, &core.NumberField{Name: "rating"}, &core.BoolField{Name: "coming_soon"},
		&core.DateField{Name: "launch_at"}, &core.DateField{Name: "created_at"})
	c.AddIndex("courses_created_at_idx", false, "created_at desc, id", "")
	c.AddIndex("courses_rating_idx", false, "rating desc, created_at desc, id", "")
	return c, app.Save(c)
}

func peopleOf(app core.App) ([]person, error) {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return nil, err
	}
	var all []person
	var hash string
	for i := range crowd {
		record := core.NewRecord(users)
		record.SetEmail(fmt.Sprintf("person%d@example.org", i))
		record.SetVerified(true)
		if hash == "" {
			record.SetPassword("correct horse battery")
			hash = record.GetString("password:hash")
		} else { // one hash for all: they never sign in
			record.SetRaw("password", &core.PasswordFieldValue{Hash: hash})
			record.RefreshTokenKey()
		}
		if err := app.SaveNoValidate(record); err != nil {
			return nil, fmt.Errorf("person: %w", err)
		}
		token, err := record.NewAuthToken()
		if err != nil {
			return nil, err
		}
		all = append(all, person{record.Id, token})
	}
	return all, nil
}

// savedOf makes the table of saved courses: everybody sees and adds their own, a course once.
func savedOf(app core.App, courses *core.Collection, ids []string, people []person) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	c := core.NewBaseCollection("saved_courses")
	own := types.Pointer("user_id = @request.auth.id")
	c.ListRule, c.ViewRule, c.CreateRule = own, own, own
	c.Fields.Add(&core.RelationField{Name: "user_id", CollectionId: users.Id, CascadeDelete: true, Required: true},
		&core.RelationField{Name: "course_id", CollectionId: courses.Id, CascadeDelete: true, Required: true},
		&core.AutodateField{Name: "created_at", OnCreate: true})
	c.AddIndex("saved_courses_key", true, "user_id, course_id", "")
	if err := app.Save(c); err != nil {
		return err
	}
	for i := range readers {
		for j := range saved {
			record := core.NewRecord(c)
			record.Set("user_id", people[i].ID)
			record.Set("course_id", ids[(i+j)%len(ids)])
			if err := app.SaveNoValidate(record); err != nil {
				return fmt.Errorf("saved course: %w", err)
			}
		}
	}
	return nil
}
