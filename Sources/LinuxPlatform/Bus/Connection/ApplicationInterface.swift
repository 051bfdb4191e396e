/// The interface that every app has on the bus: `org.freedesktop.Application` of the Desktop Entry Specification.
package enum ApplicationInterface {
    /// Its name.
    package static let name = "org.freedesktop.Application"

    /// The path of an app's object: its name with dots as slashes and hyphens as underscores.
    package static func path(of name: String) -> String {
        "/" + String(name.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
    }

    /// What `Introspect` answers: docs/org.freedesktop.Application.xml, byte for byte.
    package static let introspection = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.freedesktop.Application">
            <method name="Activate">
              <arg type="a{sv}" name="platform_data" direction="in"/>
            </method>
            <method name="Open">
              <arg type="as" name="uris" direction="in"/>
              <arg type="a{sv}" name="platform_data" direction="in"/>
            </method>
            <method name="ActivateAction">
              <arg type="s" name="action_name" direction="in"/>
              <arg type="av" name="parameter" direction="in"/>
              <arg type="a{sv}" name="platform_data" direction="in"/>
            </method>
          </interface>
          <interface name="org.freedesktop.DBus.Introspectable">
            <method name="Introspect">
              <arg type="s" name="xml_data" direction="out"/>
            </method>
          </interface>
          <interface name="org.freedesktop.DBus.Peer">
            <method name="Ping"/>
            <method name="GetMachineId">
              <arg type="s" name="machine_uuid" direction="out"/>
            </method>
          </interface>
        </node>

        """
}
